/* Cases of a vector set: operands from random bytes, results, flags and text, for any modulus and any model that a few
   divisions by powers of two describe. One library serves all requests: sizes and constants are given at run time.

   Numbers are in columns: `words` limbs of 64 bits for each case, low limb first. Room for intermediate values is the
   caller's, in `scratch`. Nothing here allocates, keeps state or fails. */

#ifdef LT_X86
#include <cpuid.h>
#endif

/* A division by 2^bits that is made exact by adding a multiple of an odd factor. */
typedef struct {
  const uint64_t *factor;
  size_t words;
  uint64_t inverse; /* -factor^-1 modulo 2^64 */
  size_t bits;
} lt_division;

enum { LT_AS_IT_IS, LT_SUBTRACTED, LT_REDUCED }; /* what happens to a result in the end */
enum { LT_UNIFORM, LT_RUNS, LT_DIGITS };         /* what becomes of random bits */
enum { LT_ZERO = 1, LT_LAZY = 2, LT_NOT_REDUCED = 4, LT_PERHAPS = 8 };
enum { LT_LITERAL, LT_ID, LT_NUMBER, LT_WORD, LT_BYTES, LT_FLAGS, LT_COMMENT };

/* What all cases of a set share. */
typedef struct {
  size_t words, a_words, b_words; /* of a column, and as many as the operands may need */
  const uint64_t *modulus;
  size_t modulus_words; /* 0: every number counts as reduced */
  const lt_division *divisions;
  size_t division_count, product_words; /* the words that the largest intermediate value needs */
  size_t last, unary;
  uint64_t low; /* bits of a * b that decide whether a case may have an extreme quotient */
  const uint64_t *extremes;
  size_t extreme_count;
  const unsigned char *identity;
  size_t identity_length;
  uint64_t *scratch;
} lt_set;

typedef struct {
  size_t kind;
  const char *text;       /* of a literal */
  size_t length, column;  /* of a literal, the digits of a word, or bytes; which of a, b, result, residue */
} lt_piece;

/* Texts of which each case has one. */
typedef struct {
  const char *text;
  const uint64_t *ends;
} lt_table;

typedef struct {
  const lt_piece *pieces;
  size_t count;
  lt_table flags, comments;
  char *out;
  size_t length; /* of the text that was written */
} lt_layout;

/* Limbs ------------------------------------------------------------------------------------------------------------ */

static int below(const uint64_t *x, const uint64_t *y, size_t n) {
  while (n-- > 0)
    if (x[n] != y[n]) return x[n] < y[n];
  return 0;
}

static int is_zero(const uint64_t *x, size_t n) {
  uint64_t any = 0;
  for (size_t k = 0; k < n; ++k) any |= x[k];
  return any == 0;
}

/* Limbs without those of 0 at the top. */
static size_t used(const uint64_t *x, size_t n) {
  while (n > 0 && x[n - 1] == 0) --n;
  return n;
}

/* x of n limbs is not below the modulus. */
static int beyond(const lt_set *set, const uint64_t *x) {
  const size_t n = set->words, m = set->modulus_words;
  if (m == 0 || m > n) return 0;
  return !is_zero(x + m, n - m) || !below(x, set->modulus, m);
}

/* x += y * q; returns what goes beyond n limbs. */
static uint64_t add_product(uint64_t *x, const uint64_t *y, size_t n, uint64_t q) {
  uint64_t carry = 0;
#pragma GCC unroll 4
  for (size_t k = 0; k < n; ++k) {
    const lt_u128 t = lt_add2(lt_add2(lt_mul64(y[k], q), LT_MAKE(0, x[k])), LT_MAKE(0, carry));
    x[k] = lt_lo(t);
    carry = lt_hi(t);
  }
  return carry;
}

/* x -= y * q; returns what is missing beyond n limbs. */
static uint64_t subtract_product(uint64_t *x, const uint64_t *y, size_t n, uint64_t q) {
  uint64_t carry = 0;
  for (size_t k = 0; k < n; ++k) {
    const lt_u128 t = lt_add2(lt_mul64(y[k], q), LT_MAKE(0, carry));
    const uint64_t part = lt_lo(t);
    carry = lt_hi(t) + (x[k] < part);
    x[k] -= part;
  }
  return carry;
}

/* A divisor whose highest bit is set, as it was shifted to. */
typedef struct {
  uint64_t *limbs;
  size_t n;
  unsigned shift;
  uint64_t inverse; /* floor((2^128 - 1) / highest limb) - 2^64 */
} divisor;

static divisor divisor_of(const uint64_t *y, size_t n, uint64_t *room) {
  divisor d = {room, n, 0, 0};
  while (!(y[n - 1] << d.shift >> 63)) ++d.shift;
  lt_shl(room, n, y, n, 0, d.shift);
  const uint64_t top = room[n - 1];
  uint64_t rest = ~top; /* (2^128 - 1) - 2^64 * top, divided bit by bit */
  for (int k = 0; k < 64; ++k) {
    const uint64_t out = rest >> 63;
    rest = rest << 1 | 1;
    const uint64_t fits = out | (rest >= top);
    rest -= fits ? top : 0;
    d.inverse = d.inverse << 1 | fits;
  }
  return d;
}

/* floor((high * 2^64 + low) / top) for high < top (Moeller and Granlund, Improved division by invariant integers). */
static uint64_t quotient(uint64_t high, uint64_t low, uint64_t top, uint64_t inverse) {
  const lt_u128 q = lt_add2(lt_mul64(inverse, high), LT_MAKE(high, low));
  uint64_t found = lt_hi(q) + 1;
  uint64_t rest = low - found * top;
  if (rest > lt_lo(q)) {
    --found;
    rest += top;
  }
  return found + (rest >= top);
}

/* The remainder of x of n limbs, behind which is room for one more, in the low limbs of x; those above are 0. */
static void reduce(uint64_t *x, size_t n, const divisor *d) {
  const size_t m = d->n;
  if (n < m) return;
  const uint64_t top = d->limbs[m - 1];
  x[n] = d->shift == 0 ? 0 : x[n - 1] >> (64 - d->shift);
  for (size_t k = n; d->shift != 0 && k-- > 0;) x[k] = x[k] << d->shift | (k == 0 ? 0 : x[k - 1] >> (64 - d->shift));
  for (size_t j = n - m + 1; j-- > 0;) {
    const uint64_t high = x[j + m];
    if (high == 0 && below(x + j, d->limbs, m)) continue;
    const uint64_t q = high >= top ? ~(uint64_t)0 : quotient(high, x[j + m - 1], top, d->inverse);
    x[j + m] -= subtract_product(x + j, d->limbs, m, q);
    while (x[j + m] != 0) { /* the quotient was estimated by the highest limb and is up to 2 too large */
      uint64_t carry = 0;
      for (size_t k = 0; k < m; ++k) {
        const uint64_t sum = x[j + k] + d->limbs[k], all = sum + carry;
        carry = (uint64_t)(sum < d->limbs[k]) | (uint64_t)(all < sum);
        x[j + k] = all;
      }
      x[j + m] += carry;
    }
  }
  for (size_t k = 0; d->shift != 0 && k < m; ++k) x[k] = x[k] >> d->shift | x[k + 1] << (64 - d->shift);
}

/* SHAKE128 --------------------------------------------------------------------------------------------------------- */

enum { RATE = 168, LANES = 4 };

#ifdef LT_X86
typedef uint64_t lanes __attribute__((vector_size(8 * LANES)));

static const uint64_t ROUNDS[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

#define LT_TURN(x, n) ((x) << (n) | (x) >> (64 - (n)))
/* The word at `to` goes on to the place of the next line, turned by n (steps rho and pi). */
#define LT_MOVE(to, n) (next = s[to], s[to] = LT_TURN(word, n), word = next)

/* Keccak-f[1600] of four states side by side. */
__attribute__((target("avx2"))) static void permute(lanes *s) {
  for (int round = 0; round < 24; ++round) {
    lanes c[5], word, next;
#pragma GCC unroll 5
    for (int x = 0; x < 5; ++x) c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
#pragma GCC unroll 5
    for (int x = 0; x < 5; ++x) {
      const lanes d = c[(x + 4) % 5] ^ LT_TURN(c[(x + 1) % 5], 1);
#pragma GCC unroll 5
      for (int y = 0; y < 25; y += 5) s[x + y] ^= d;
    }
    word = s[1];
    LT_MOVE(10, 1), LT_MOVE(7, 3), LT_MOVE(11, 6), LT_MOVE(17, 10), LT_MOVE(18, 15), LT_MOVE(3, 21), LT_MOVE(5, 28);
    LT_MOVE(16, 36), LT_MOVE(8, 45), LT_MOVE(21, 55), LT_MOVE(24, 2), LT_MOVE(4, 14), LT_MOVE(15, 27), LT_MOVE(23, 41);
    LT_MOVE(19, 56), LT_MOVE(13, 8), LT_MOVE(12, 25), LT_MOVE(2, 43), LT_MOVE(20, 62), LT_MOVE(14, 18), LT_MOVE(22, 39);
    LT_MOVE(9, 61), LT_MOVE(6, 20), LT_MOVE(1, 44);
#pragma GCC unroll 5
    for (int y = 0; y < 25; y += 5) {
      const lanes first = s[y], second = s[y + 1];
      s[y] ^= ~second & s[y + 2];
      s[y + 1] ^= ~s[y + 2] & s[y + 3];
      s[y + 2] ^= ~s[y + 3] & s[y + 4];
      s[y + 3] ^= ~s[y + 4] & first;
      s[y + 4] ^= ~first & second;
    }
    s[0] ^= ROUNDS[round];
  }
}

/* Four streams of `bytes` bytes each, of labels with the numbers from `first` on in decimal digits. */
__attribute__((target("avx2"))) static void four_streams(const unsigned char *label, size_t length, uint64_t first,
                                                         size_t bytes, unsigned char *out) {
  lanes s[25] = {{0}};
  for (size_t lane = 0; lane < LANES; ++lane) {
    unsigned char block[RATE] = {0}, digits[20];
    size_t count = 0, end = length;
    for (uint64_t n = first + lane; n != 0 || count == 0; n /= 10) digits[count++] = (unsigned char)('0' + n % 10);
    memcpy(block, label, length);
    while (count > 0) block[end++] = digits[--count];
    block[end] = 0x1f;
    block[RATE - 1] |= 0x80;
    for (size_t k = 0; k < RATE / 8; ++k) {
      uint64_t word;
      memcpy(&word, block + 8 * k, 8);
      s[k][lane] = word;
    }
  }
  for (size_t at = 0; at < bytes; at += RATE) {
    const size_t size = bytes - at < RATE ? bytes - at : RATE;
    permute(s);
    for (size_t lane = 0; lane < LANES; ++lane) {
      uint64_t block[RATE / 8];
      for (size_t k = 0; k < RATE / 8; ++k) block[k] = s[k][lane];
      memcpy(out + lane * bytes + at, block, size);
    }
  }
}
#endif

/* As many streams of `bytes` bytes as are made here, of at most `count`: SHAKE128 of the label with the numbers from
   `first` on in decimal digits. */
size_t lt_streams(const unsigned char *label, size_t length, uint64_t first, size_t count, size_t bytes,
                  unsigned char *out);
size_t lt_streams(const unsigned char *label, size_t length, uint64_t first, size_t count, size_t bytes,
                  unsigned char *out) {
  size_t made = 0;
#ifdef LT_X86
  if (length + 20 < RATE && __builtin_cpu_supports("avx2"))
    for (; made + LANES <= count; made += LANES) four_streams(label, length, first + made, bytes, out + made * bytes);
#else
  (void)label, (void)length, (void)first, (void)count, (void)bytes, (void)out;
#endif
  return made;
}

/* Operands --------------------------------------------------------------------------------------------------------- */

static uint64_t mask(size_t bits) { return bits < 64 ? ((uint64_t)1 << bits) - 1 : ~(uint64_t)0; }

static uint64_t byte(const unsigned char *raw, unsigned k) { return (uint64_t)raw[k] << 8 * k; }

/* n limbs of that many bytes, low byte first; written out so that compilers see an ordinary load. */
static void load(uint64_t *x, size_t n, const unsigned char *raw, size_t bytes) {
  for (size_t k = 0; k < n; ++k, raw += 8, bytes -= 8) {
    if (bytes >= 8) {
      x[k] = byte(raw, 0) | byte(raw, 1) | byte(raw, 2) | byte(raw, 3) | byte(raw, 4) | byte(raw, 5) | byte(raw, 6) |
             byte(raw, 7);
    } else {
      x[k] = 0;
      for (unsigned i = 0; i < bytes; ++i) x[k] |= byte(raw, i);
    }
  }
}

/* `bits` bits of value from bit `at` on, at most 64; the word behind is there if any bit of it is set. */
static void set_bits(uint64_t *x, size_t at, size_t bits, uint64_t value) {
  value &= mask(bits);
  x[at / 64] |= value << at % 64;
  if (at % 64 != 0 && value >> (64 - at % 64) != 0) x[at / 64 + 1] |= value >> (64 - at % 64);
}

/* A word of `bits` bits with runs of equal bits, whose lengths are the 16 bytes, used cyclically. */
static void runs(uint64_t *x, const unsigned char *lengths, size_t bits) {
  const size_t most = bits / 2 > 2 ? bits / 2 : 2, first = lengths[0] >> 7;
  for (size_t at = 0, k = 0; at < bits; ++k) {
    const size_t length = lengths[k % 16] % most + 1, end = at + length < bits ? at + length : bits;
    for (size_t bit = at; (k & 1) == first && bit < end; bit += 64) set_bits(x, bit, end - bit, ~(uint64_t)0);
    at += length;
  }
}

/* A word of digits of `width` bits, each 0, 1, all ones, one less, or random, as a byte below its random bits says. */
static void digit_pattern(uint64_t *x, const uint64_t *random, size_t n, size_t digits, size_t width) {
  for (size_t k = 0; k < digits; ++k) {
    const size_t from = k * (width + 8);
    const unsigned kind = (unsigned)(lt_cut(random, n, 0, from) & 0xff) % 5;
    for (size_t at = 0; at < width; at += 64) {
      const size_t bits = width - at < 64 ? width - at : 64;
      const uint64_t least = at == 0;
      const uint64_t parts[5] = {0, least, mask(bits), mask(bits) - least, lt_cut(random, n, 0, from + 8 + at)};
      set_bits(x, k * width + at, bits, parts[kind]);
    }
  }
}

/* Draw `count` numbers below `range` from `bytes` random bytes each, which are `every` bytes apart, to places that are
   `step` limbs apart. `scratch` has range_words + 2 * (words of the value and of its pattern) + 4 limbs. */
void lt_draw(const unsigned char *raw, size_t bytes, size_t every, size_t count, size_t shape, size_t digits,
             size_t width, const uint64_t *range, size_t range_words, uint64_t *to, size_t words, size_t step,
             uint64_t *scratch);
void lt_draw(const unsigned char *raw, size_t bytes, size_t every, size_t count, size_t shape, size_t digits,
             size_t width, const uint64_t *range, size_t range_words, uint64_t *to, size_t words, size_t step,
             uint64_t *scratch) {
  const divisor d = divisor_of(range, range_words, scratch);
  const size_t given = (bytes + 7) / 8, n = shape == LT_UNIFORM ? given : (digits * width + 63) / 64;
  const size_t kept = range_words < words ? range_words : words, size = n < range_words ? range_words : n;
  uint64_t *random = scratch + range_words, *x = shape == LT_UNIFORM ? random : random + given;
  for (size_t k = 0; k < count; ++k, raw += every, to += step) {
    for (size_t i = n; i < size; ++i) x[i] = 0;
    if (shape != LT_RUNS) load(random, given, raw, bytes);
    if (shape != LT_UNIFORM) memset(x, 0, 8 * n);
    if (shape == LT_RUNS) runs(x, raw, digits * width);
    if (shape == LT_DIGITS) digit_pattern(x, random, given, digits, width);
    reduce(x, n, &d);
    for (size_t i = 0; i < words; ++i) to[i] = i < kept ? x[i] : 0;
  }
}

/* Results ---------------------------------------------------------------------------------------------------------- */

/* (t + Q * factor) / 2^bits with the Q below 2^bits for which that is exact; n limbs of t. */
static void divide(uint64_t *t, size_t n, const lt_division *d) {
  for (size_t i = 0; 64 * i < d->bits; ++i) {
    const uint64_t q = t[i] * d->inverse & mask(d->bits - 64 * i);
    uint64_t carry = add_product(t + i, d->factor, d->words, q);
    for (size_t k = i + d->words; carry != 0 && k < n; ++k) {
      t[k] += carry;
      carry = t[k] < carry;
    }
  }
  const size_t limbs = d->bits / 64;
  const unsigned rest = d->bits % 64;
  for (size_t k = 0; k + limbs < n; ++k) {
    const uint64_t above = k + limbs + 1 < n ? t[k + limbs + 1] : 0;
    t[k] = rest == 0 ? t[k + limbs] : t[k + limbs] >> rest | above << (64 - rest);
  }
  memset(t + (limbs < n ? n - limbs : 0), 0, 8 * (limbs < n ? limbs : n));
}

/* The results of a * b. `scratch` has product_words + modulus_words + 1 limbs. */
void lt_results(const lt_set *set, const uint64_t *a, const uint64_t *b, size_t count, uint64_t *result);
void lt_results(const lt_set *set, const uint64_t *a, const uint64_t *b, size_t count, uint64_t *result) {
  const size_t words = set->words, n = set->product_words, m = set->modulus_words;
  uint64_t *t = set->scratch;
  divisor d = {0};
  if (set->last == LT_REDUCED) d = divisor_of(set->modulus, m, t + n + 1);
  for (size_t k = 0; k < count; ++k, a += words, b += words, result += words) {
    const size_t rows = used(a, set->a_words), columns = used(b, set->b_words);
    memset(t, 0, 8 * (n + 1));
    for (size_t i = 0; i < rows; ++i) t[i + columns] = add_product(t + i, b, columns, a[i]);
    for (size_t i = 0; i < set->division_count; ++i) divide(t, n, &set->divisions[i]);
    if (set->last == LT_REDUCED) reduce(t, n, &d);
    if (set->last == LT_SUBTRACTED && (!is_zero(t + m, n - m) || !below(t, set->modulus, m)))
      subtract_product(t, set->modulus, m, 1);
    for (size_t i = 0; i < words; ++i) result[i] = i < n ? t[i] : 0;
  }
}

/* Residues and flags of each case; LT_PERHAPS marks a case whose quotient may be extreme. `scratch` has words +
   modulus_words + 1 limbs. */
void lt_notes(const lt_set *set, const uint64_t *a, const uint64_t *b, const uint64_t *result, size_t count,
              uint64_t *residue, unsigned char *flags);
void lt_notes(const lt_set *set, const uint64_t *a, const uint64_t *b, const uint64_t *result, size_t count,
              uint64_t *residue, unsigned char *flags) {
  const size_t words = set->words;
  uint64_t *t = set->scratch;
  divisor d = {0};
  if (set->modulus_words != 0) d = divisor_of(set->modulus, set->modulus_words, t + words + 1);
  for (size_t k = 0; k < count; ++k, a += words, b += words, result += words, residue += words) {
    unsigned found = 0;
    if (is_zero(a, words) || (!set->unary && is_zero(b, words))) found |= LT_ZERO;
    if (beyond(set, a) || beyond(set, b)) found |= LT_LAZY;
    memcpy(residue, result, 8 * words);
    if (beyond(set, result)) {
      found |= LT_NOT_REDUCED;
      memcpy(t, result, 8 * words);
      reduce(t, words, &d);
      for (size_t i = 0; i < words; ++i) residue[i] = i < d.n ? t[i] : 0;
    }
    const uint64_t low = a[0] * b[0] & set->low;
    for (size_t i = 0; i < set->extreme_count; ++i)
      if (low == set->extremes[i]) found |= LT_PERHAPS;
    flags[k] = (unsigned char)found;
  }
}

/* SHA-256 ---------------------------------------------------------------------------------------------------------- */

static const uint32_t CONSTANTS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t x, unsigned bits) { return x >> bits | x << (32 - bits); }

static void hash_blocks_portable(uint32_t *state, const unsigned char *data, size_t blocks) {
  for (; blocks > 0; --blocks, data += 64) {
    uint32_t w[64], s[8];
    for (int k = 0; k < 16; ++k)
      w[k] = (uint32_t)data[4 * k] << 24 | (uint32_t)data[4 * k + 1] << 16 | (uint32_t)data[4 * k + 2] << 8 |
             data[4 * k + 3];
    for (int k = 16; k < 64; ++k) {
      const uint32_t x = w[k - 15], y = w[k - 2];
      w[k] = w[k - 16] + (turned(x, 7) ^ turned(x, 18) ^ x >> 3) + w[k - 7] + (turned(y, 17) ^ turned(y, 19) ^ y >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int k = 0; k < 64; ++k) {
      const uint32_t e = s[4], a = s[0];
      const uint32_t one = s[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & s[5]) ^ (~e & s[6])) +
                           CONSTANTS[k] + w[k];
      const uint32_t two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
      memmove(s + 1, s, 7 * sizeof *s);
      s[4] += one;
      s[0] = one + two;
    }
    for (int k = 0; k < 8; ++k) state[k] += s[k];
  }
}

#ifdef LT_X86
__attribute__((target("sha,sse4.1,ssse3"))) static void hash_blocks_x86(uint32_t *state, const unsigned char *data,
                                                                        size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i dcba = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(dcba, efgh, 8), cdgh = _mm_blend_epi16(efgh, dcba, 0xf0);
  for (; blocks > 0; --blocks, data += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int k = 0; k < 4; ++k) w[k] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 16 * k)), swap);
#pragma GCC unroll 16
    for (int k = 0; k < 16; ++k) {
      const __m128i now = w[k % 4], last = w[(k + 3) % 4];
      const __m128i sum = _mm_add_epi32(now, _mm_loadu_si128((const __m128i *)(CONSTANTS + 4 * k)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      if (k < 12) {
        const __m128i mixed = _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(k + 1) % 4]),
                                            _mm_alignr_epi8(last, w[(k + 2) % 4], 4));
        w[k % 4] = _mm_sha256msg2_epu32(mixed, last);
      }
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

static int has_sha(void) {
  unsigned a, b = 0, c = 0, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c >> 19 & 1) && (c >> 9 & 1) && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
         (b >> 29 & 1);
}
#endif

typedef void (*hash_blocks)(uint32_t *, const unsigned char *, size_t);

static hash_blocks hash_function(void) {
#ifdef LT_X86
  if (has_sha()) return hash_blocks_x86;
#endif
  return hash_blocks_portable;
}

/* Text ------------------------------------------------------------------------------------------------------------- */

static char *entry(char *to, const lt_table *table, uint32_t index) {
  const uint64_t from = index == 0 ? 0 : table->ends[index - 1];
  return copy(to, table->text + from, table->ends[index] - from);
}

/* The bytes of limbs, the low one first, on any machine; compilers see an ordinary store. */
static char *low_first(char *to, const uint64_t *x, size_t bytes) {
  for (size_t k = 0; k < bytes / 8; ++k, to += 8) {
    const uint64_t limb = x[k];
    to[0] = (char)limb, to[1] = (char)(limb >> 8), to[2] = (char)(limb >> 16), to[3] = (char)(limb >> 24);
    to[4] = (char)(limb >> 32), to[5] = (char)(limb >> 40), to[6] = (char)(limb >> 48), to[7] = (char)(limb >> 56);
  }
  return to;
}

/* The text of all cases in each layout. `numbers` are the columns of a, b, result and residue; `flags` and `comments`
   are the places in the tables of the layouts. `scratch` has 12 * words + 24 limbs. */
void lt_write(const lt_set *set, const uint64_t *const *numbers, const uint32_t *flags, const uint32_t *comments,
              size_t count, lt_layout *layouts, size_t layout_count);
void lt_write(const lt_set *set, const uint64_t *const *numbers, const uint32_t *flags, const uint32_t *comments,
              size_t count, lt_layout *layouts, size_t layout_count) {
  const size_t words = set->words, whole = set->identity_length / 64 * 64, rest = set->identity_length - whole;
  const hash_blocks hash = hash_function();
  uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  char *digits = (char *)set->scratch, id[16] = {0};
  unsigned char *message = (unsigned char *)(set->scratch + 8 * words);
  int wanted[4] = {0}, named = 0;
  for (size_t l = 0; l < layout_count; ++l) {
    layouts[l].length = 0;
    for (size_t k = 0; k < layouts[l].count; ++k) {
      const lt_piece *piece = &layouts[l].pieces[k];
      if (piece->kind == LT_NUMBER || piece->kind == LT_WORD) wanted[piece->column] = 1;
      if (piece->kind == LT_ID) named = wanted[0] = wanted[1] = 1;
    }
  }
  hash(start, set->identity, whole / 64);
  memcpy(message, set->identity + whole, rest);
  for (size_t k = 0; k < count; ++k) {
    size_t lengths[4];
    const char *ends[4]; /* of the digits; in front of them are zeros */
    for (size_t column = 0; column < 4; ++column) {
      const uint64_t *number = numbers[column] + words * k;
      if (!wanted[column]) continue;
      if (column == 3 && wanted[2] && memcmp(number, numbers[2] + words * k, 8 * words) == 0) {
        ends[3] = ends[2];
        lengths[3] = lengths[2];
        continue;
      }
      ends[column] = digits + 16 * words * (column + 1);
      lengths[column] = all_digits(digits + 16 * words * column, number, words);
    }
    if (named) {
      uint32_t state[8];
      size_t at = rest;
      for (size_t column = 0; column < 2; ++column) {
        message[at++] = '|';
        memcpy(message + at, ends[column] - lengths[column], lengths[column]);
        at += lengths[column];
      }
      const uint64_t bits = 8 * (uint64_t)(whole + at);
      message[at++] = 0x80;
      for (; at % 64 != 56; ++at) message[at] = 0;
      for (int i = 0; i < 8; ++i) message[at++] = (unsigned char)(bits >> (56 - 8 * i));
      memcpy(state, start, sizeof state);
      hash(state, message, at / 64);
      limb_digits(id, (uint64_t)state[0] << 32 | state[1]);
    }
    for (size_t l = 0; l < layout_count; ++l) {
      lt_layout *layout = &layouts[l];
      char *to = layout->out + layout->length;
      for (size_t i = 0; i < layout->count; ++i) {
        const lt_piece *piece = &layout->pieces[i];
        const size_t column = piece->column;
        switch (piece->kind) {
          case LT_LITERAL: to = copy(to, piece->text, piece->length); break;
          case LT_ID: to = copy(to, id, 16); break;
          case LT_NUMBER: to = copy(to, ends[column] - lengths[column], lengths[column]); break;
          case LT_WORD: to = copy(to, ends[column] - piece->length, piece->length); break;
          case LT_BYTES: to = low_first(to, numbers[column] + words * k, piece->length); break;
          case LT_FLAGS: to = entry(to, &layout->flags, flags[k]); break;
          default: to = entry(to, &layout->comments, comments[k]); break;
        }
      }
      layout->length = (size_t)(to - layout->out);
    }
  }
}
