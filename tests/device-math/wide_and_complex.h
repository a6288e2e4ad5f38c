/* The arithmetic that the compiler calls: 128-bit integers, and complex products and quotients. */

typedef unsigned __int128 wide_bits;

static wide_bits random_wide(void) {
    wide_bits bits = (wide_bits)random_bits() << 64 | random_bits();
    return bits >> (random_bits() % 128);
}

#define LOW(x) ((uint64_t)(x))
#define HIGH(x) ((uint64_t)((wide_bits)(x) >> 64))
#define PARTS(x) LOW(x), HIGH(x)
#define SAME_WIDE(name, low, high, expected) expect(name, (low) == LOW(expected) && (high) == HIGH(expected), x, y)

static void check_wide(void) {
    wide_bits a = random_wide(), b = random_wide();
    __int128 sa = (__int128)(random_bits() & 1 ? a : 0 - a), sb = (__int128)(random_bits() & 1 ? b : 0 - b);
    double x = (double)a, y = (double)b;
    if (b != 0) {
        SAME_WIDE("udiv", DEVICE(int128_udiv_low)(PARTS(a), PARTS(b)), DEVICE(int128_udiv_high)(PARTS(a), PARTS(b)), a / b);
        SAME_WIDE("urem", DEVICE(int128_urem_low)(PARTS(a), PARTS(b)), DEVICE(int128_urem_high)(PARTS(a), PARTS(b)), a % b);
        if (sb != -1) {
            SAME_WIDE("sdiv", DEVICE(int128_sdiv_low)(PARTS(sa), PARTS(sb)), DEVICE(int128_sdiv_high)(PARTS(sa), PARTS(sb)), sa / sb);
            SAME_WIDE("srem", DEVICE(int128_srem_low)(PARTS(sa), PARTS(sb)), DEVICE(int128_srem_high)(PARTS(sa), PARTS(sb)), sa % sb);
        }
    }
    SAME("unsigned_to_f64", DEVICE(int128_unsigned_to_f64)(PARTS(a)), (double)a);
    SAME("unsigned_to_f32", DEVICE(int128_unsigned_to_f32)(PARTS(a)), (float)a);
    SAME("signed_to_f64", DEVICE(int128_signed_to_f64)(PARTS(sa)), (double)sa);
    SAME("signed_to_f32", DEVICE(int128_signed_to_f32)(PARTS(sa)), (float)sa);
    double number = (random_unit() - 0.5) * exp2(random_unit() * 126.0);
    float narrow = (float)number;
    SAME_WIDE("from_f64", DEVICE(int128_signed_from_f64_low)(number), DEVICE(int128_signed_from_f64_high)(number), (__int128)number);
    SAME_WIDE("from_f32", DEVICE(int128_signed_from_f32_low)(narrow), DEVICE(int128_signed_from_f32_high)(narrow), (__int128)narrow);
    number = fabs(number);
    narrow = (float)number;
    SAME_WIDE("from_f64", DEVICE(int128_unsigned_from_f64_low)(number), DEVICE(int128_unsigned_from_f64_high)(number), (wide_bits)number);
    SAME_WIDE("from_f32", DEVICE(int128_unsigned_from_f32_low)(narrow), DEVICE(int128_unsigned_from_f32_high)(narrow), (wide_bits)narrow);
}

/* Whether two results are the same, or both no number. */
static int agree(double left, double right) {
    return left == right ? !signbit(left) == !signbit(right) : isnan(left) && isnan(right);
}

/* Bit for bit what accrue's own operators give; other compilers divide in other ways. */
static void check_complex_operators(double a, double b, double c, double d) {
    double x = a, y = c;
#ifdef __ACCRUE__
    double _Complex quotient = make_complex(a, b) / make_complex(c, d);
    expect("complex /", agree(DEVICE(complex_div_re_f64)(a, b, c, d), __real__ quotient), x, y);
    expect("complex /", agree(DEVICE(complex_div_im_f64)(a, b, c, d), __imag__ quotient), x, y);
    float af = (float)a, bf = (float)b, cf = (float)c, df = (float)d;
    float _Complex narrow = make_complexf(af, bf) / make_complexf(cf, df);
    expect("complex float /", agree(DEVICE(complex_div_re_f32)(af, bf, cf, df), __real__ narrow), x, y);
    expect("complex float /", agree(DEVICE(complex_div_im_f32)(af, bf, cf, df), __imag__ narrow), x, y);
#endif
    double real = a * c - b * d, imaginary = a * d + b * c;
    if (!isnan(real) || !isnan(imaginary)) return;
    double _Complex product = make_complex(a, b) * make_complex(c, d);
    expect("complex *", agree(DEVICE(complex_mul_re_f64)(a, b, c, d), __real__ product), x, y);
    expect("complex *", agree(DEVICE(complex_mul_im_f64)(a, b, c, d), __imag__ product), x, y);
}

static double operand(void) {
    return random_bits() & 1 ? complex_special[random_bits() % (uint64_t)COMPLEX_SPECIALS] : complex_part((long)(random_bits() >> 8));
}

static void check_arithmetic(void) {
    for (long i = 0; i < samples; i++) {
        check_wide();
        double a = operand(), b = operand(), c = operand(), d = operand();
        check_complex_operators(a, b, c, d);
    }
}
