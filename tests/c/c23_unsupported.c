// options: -std=c23
// expect-error: unsupported-type at 5
// expect-error: unsupported-type at 6
// expect-text: bit-precise integers (`_BitInt`) are not supported
unsigned _BitInt(17) bits;
_Decimal64 decimal;
