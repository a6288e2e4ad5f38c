/* AES-128 in counter mode, byte by byte with tables for the S-box only. */
#include "../loops/timing.h"
#include <stdint.h>
#include <string.h>

typedef uint8_t state_t[4][4];
static uint8_t sbox[256];
static uint8_t round_key[176];
uint8_t *buffer;

static uint8_t xtime(uint8_t x)
{
    return (x << 1) ^ (((x >> 7) & 1) * 0x1b);
}

static void make_sbox(void)
{
    uint8_t p = 1, q = 1;
    do {
        p = p ^ (p << 1) ^ (p & 0x80 ? 0x1b : 0);
        q ^= q << 1;
        q ^= q << 2;
        q ^= q << 4;
        if (q & 0x80)
            q ^= 0x09;
        uint8_t x = q ^ (uint8_t)(q << 1 | q >> 7) ^ (uint8_t)(q << 2 | q >> 6) ^ (uint8_t)(q << 3 | q >> 5) ^
                    (uint8_t)(q << 4 | q >> 4);
        sbox[p] = x ^ 0x63;
    } while (p != 1);
    sbox[0] = 0x63;
}

static void expand(const uint8_t *key)
{
    uint8_t t[4], rcon = 1;
    memcpy(round_key, key, 16);
    for (int i = 4; i < 44; i++) {
        memcpy(t, round_key + 4 * (i - 1), 4);
        if (i % 4 == 0) {
            uint8_t first = t[0];
            t[0] = sbox[t[1]] ^ rcon;
            t[1] = sbox[t[2]];
            t[2] = sbox[t[3]];
            t[3] = sbox[first];
            rcon = xtime(rcon);
        }
        for (int j = 0; j < 4; j++)
            round_key[4 * i + j] = round_key[4 * (i - 4) + j] ^ t[j];
    }
}

static void add_key(int round, state_t *s)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            (*s)[i][j] ^= round_key[round * 16 + i * 4 + j];
}

static void sub_bytes(state_t *s)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            (*s)[j][i] = sbox[(*s)[j][i]];
}

static void shift_rows(state_t *s)
{
    uint8_t t = (*s)[0][1];
    (*s)[0][1] = (*s)[1][1];
    (*s)[1][1] = (*s)[2][1];
    (*s)[2][1] = (*s)[3][1];
    (*s)[3][1] = t;
    t = (*s)[0][2];
    (*s)[0][2] = (*s)[2][2];
    (*s)[2][2] = t;
    t = (*s)[1][2];
    (*s)[1][2] = (*s)[3][2];
    (*s)[3][2] = t;
    t = (*s)[0][3];
    (*s)[0][3] = (*s)[3][3];
    (*s)[3][3] = (*s)[2][3];
    (*s)[2][3] = (*s)[1][3];
    (*s)[1][3] = t;
}

static void mix_columns(state_t *s)
{
    for (int i = 0; i < 4; i++) {
        uint8_t t = (*s)[i][0];
        uint8_t all = (*s)[i][0] ^ (*s)[i][1] ^ (*s)[i][2] ^ (*s)[i][3];
        (*s)[i][0] ^= xtime((*s)[i][0] ^ (*s)[i][1]) ^ all;
        (*s)[i][1] ^= xtime((*s)[i][1] ^ (*s)[i][2]) ^ all;
        (*s)[i][2] ^= xtime((*s)[i][2] ^ (*s)[i][3]) ^ all;
        (*s)[i][3] ^= xtime((*s)[i][3] ^ t) ^ all;
    }
}

static void cipher(state_t *s)
{
    add_key(0, s);
    for (int round = 1;; round++) {
        sub_bytes(s);
        shift_rows(s);
        if (round == 10)
            break;
        mix_columns(s);
        add_key(round, s);
    }
    add_key(10, s);
}

static void ctr(uint8_t *iv, uint8_t *buf, size_t length)
{
    uint8_t block[16];
    int bi = 16;
    for (size_t i = 0; i < length; i++, bi++) {
        if (bi == 16) {
            memcpy(block, iv, 16);
            cipher((state_t *)block);
            for (bi = 15; bi >= 0; bi--) {
                if (iv[bi] == 255) {
                    iv[bi] = 0;
                    continue;
                }
                iv[bi]++;
                break;
            }
            bi = 0;
        }
        buf[i] ^= block[bi];
    }
}

void setup(long n)
{
    static const uint8_t key[16] = "sixteen byte key";
    buffer = array(n, 1);
    make_sbox();
    expand(key);
}

double kernel(long n)
{
    uint8_t iv[16] = {1, 2, 3};
    memset(buffer, 0, n);
    ctr(iv, buffer, n);
    uint32_t sum = 0;
    for (long i = 0; i < n; i++)
        sum = sum * 31 + buffer[i];
    return sum;
}
