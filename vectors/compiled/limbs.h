/* Integers of 64-bit limbs, low limb first, in two's complement where they may be negative.
   Sizes and signs are constants where these functions are called, so that a compiler resolves them. */

#if defined(__GNUC__) || defined(__clang__)
#define LT_UNUSED __attribute__((unused))
#else
#define LT_UNUSED
#endif
#define LT_INLINE LT_UNUSED static inline

#ifdef __cplusplus
#define LT_THREAD_LOCAL static thread_local
#else
#define LT_THREAD_LOCAL static _Thread_local
#endif

#if defined(__SIZEOF_INT128__) && !defined(LT_NO_INT128)
__extension__ typedef unsigned __int128 lt_u128;
#define LT_MAKE(hi, lo) ((lt_u128)(hi) << 64 | (lo))
LT_INLINE uint64_t lt_lo(lt_u128 x) { return (uint64_t)x; }
LT_INLINE uint64_t lt_hi(lt_u128 x) { return (uint64_t)(x >> 64); }
LT_INLINE lt_u128 lt_mul64(uint64_t x, uint64_t y) { return (lt_u128)x * y; }
LT_INLINE lt_u128 lt_add2(lt_u128 x, lt_u128 y) { return x + y; }
LT_INLINE lt_u128 lt_sub2(lt_u128 x, lt_u128 y) { return x - y; }
LT_INLINE lt_u128 lt_mul2(lt_u128 x, lt_u128 y) { return x * y; }
LT_INLINE lt_u128 lt_shl2(lt_u128 x, unsigned s) { return s < 128 ? x << s : 0; }
#else
typedef struct { uint64_t lo, hi; } lt_u128;
LT_INLINE lt_u128 lt_pair(uint64_t hi, uint64_t lo) { lt_u128 r; r.lo = lo; r.hi = hi; return r; }
#define LT_MAKE(hi, lo) lt_pair((hi), (lo))
LT_INLINE uint64_t lt_lo(lt_u128 x) { return x.lo; }
LT_INLINE uint64_t lt_hi(lt_u128 x) { return x.hi; }
LT_INLINE lt_u128 lt_mul64(uint64_t x, uint64_t y) {
  const uint64_t m = UINT64_C(0xffffffff), x0 = x & m, x1 = x >> 32, y0 = y & m, y1 = y >> 32;
  const uint64_t low = x0 * y0, mid = x1 * y0 + (low >> 32), cross = x0 * y1 + (mid & m);
  return lt_pair(x1 * y1 + (mid >> 32) + (cross >> 32), (cross << 32) | (low & m));
}
LT_INLINE lt_u128 lt_add2(lt_u128 x, lt_u128 y) {
  const uint64_t lo = x.lo + y.lo;
  return lt_pair(x.hi + y.hi + (lo < x.lo), lo);
}
LT_INLINE lt_u128 lt_sub2(lt_u128 x, lt_u128 y) { return lt_pair(x.hi - y.hi - (x.lo < y.lo), x.lo - y.lo); }
LT_INLINE lt_u128 lt_mul2(lt_u128 x, lt_u128 y) {
  lt_u128 r = lt_mul64(x.lo, y.lo);
  r.hi += x.hi * y.lo + x.lo * y.hi;
  return r;
}
LT_INLINE lt_u128 lt_shl2(lt_u128 x, unsigned s) {
  if (s == 0) return x;
  if (s < 64) return lt_pair(x.hi << s | x.lo >> (64 - s), x.lo << s);
  return lt_pair(s < 128 ? x.lo << (s - 64) : 0, 0);
}
#endif

LT_INLINE lt_u128 lt_and2(lt_u128 x, lt_u128 y) { return LT_MAKE(lt_hi(x) & lt_hi(y), lt_lo(x) & lt_lo(y)); }
LT_INLINE lt_u128 lt_or2(lt_u128 x, lt_u128 y) { return LT_MAKE(lt_hi(x) | lt_hi(y), lt_lo(x) | lt_lo(y)); }
LT_INLINE lt_u128 lt_xor2(lt_u128 x, lt_u128 y) { return LT_MAKE(lt_hi(x) ^ lt_hi(y), lt_lo(x) ^ lt_lo(y)); }

/* All ones for a negative number, else 0. */
LT_INLINE uint64_t lt_fill(uint64_t top) { return (uint64_t)0 - (top >> 63); }
LT_INLINE lt_u128 lt_extend(uint64_t x) { return LT_MAKE(lt_fill(x), x); }

/* x >> s with the sign repeated, s up to 63. */
LT_INLINE uint64_t lt_sar(uint64_t x, unsigned s) { return s == 0 ? x : x >> s | lt_fill(x) << (64 - s); }

/* Limb k of a number of n limbs. */
LT_INLINE uint64_t lt_limb(const uint64_t *x, size_t n, int negative, size_t k) {
  return k < n ? x[k] : negative ? lt_fill(x[n - 1]) : 0;
}

/* 64 bits of a number from bit s on. */
LT_INLINE uint64_t lt_cut(const uint64_t *x, size_t n, int negative, size_t s) {
  const uint64_t low = lt_limb(x, n, negative, s / 64);
  return s % 64 == 0 ? low : low >> s % 64 | lt_limb(x, n, negative, s / 64 + 1) << (64 - s % 64);
}

LT_INLINE void lt_shr(uint64_t *r, size_t m, const uint64_t *x, size_t n, int negative, size_t s) {
  for (size_t k = 0; k < m; ++k) r[k] = lt_cut(x, n, negative, s + 64 * k);
}

LT_INLINE void lt_shl(uint64_t *r, size_t m, const uint64_t *x, size_t n, int negative, size_t s) {
  for (size_t k = 0; k < m; ++k) {
    if (64 * k + 63 < s) r[k] = 0;
    else if (64 * k < s) r[k] = lt_limb(x, n, negative, 0) << (s - 64 * k);
    else r[k] = lt_cut(x, n, negative, 64 * k - s);
  }
}

LT_INLINE void lt_add(uint64_t *r, size_t m, const uint64_t *x, size_t nx, int sx, const uint64_t *y, size_t ny,
                      int sy) {
  uint64_t carry = 0;
  for (size_t k = 0; k < m; ++k) {
    const uint64_t b = lt_limb(y, ny, sy, k), sum = lt_limb(x, nx, sx, k) + b, all = sum + carry;
    carry = (uint64_t)(sum < b) | (uint64_t)(all < sum);
    r[k] = all;
  }
}

LT_INLINE void lt_sub(uint64_t *r, size_t m, const uint64_t *x, size_t nx, int sx, const uint64_t *y, size_t ny,
                      int sy) {
  uint64_t borrow = 0;
  for (size_t k = 0; k < m; ++k) {
    const uint64_t a = lt_limb(x, nx, sx, k), b = lt_limb(y, ny, sy, k), rest = a - b, all = rest - borrow;
    borrow = (uint64_t)(a < b) | (uint64_t)(rest < borrow);
    r[k] = all;
  }
}

LT_INLINE void lt_and(uint64_t *r, size_t m, const uint64_t *x, size_t nx, int sx, const uint64_t *y, size_t ny,
                      int sy) {
  for (size_t k = 0; k < m; ++k) r[k] = lt_limb(x, nx, sx, k) & lt_limb(y, ny, sy, k);
}

LT_INLINE void lt_or(uint64_t *r, size_t m, const uint64_t *x, size_t nx, int sx, const uint64_t *y, size_t ny,
                     int sy) {
  for (size_t k = 0; k < m; ++k) r[k] = lt_limb(x, nx, sx, k) | lt_limb(y, ny, sy, k);
}

LT_INLINE void lt_xor(uint64_t *r, size_t m, const uint64_t *x, size_t nx, int sx, const uint64_t *y, size_t ny,
                      int sy) {
  for (size_t k = 0; k < m; ++k) r[k] = lt_limb(x, nx, sx, k) ^ lt_limb(y, ny, sy, k);
}

/* Row by row, modulo 2^(64m); limbs of a sign count only where a factor may be negative. */
LT_INLINE void lt_mul(uint64_t *r, size_t m, const uint64_t *x, size_t nx, int sx, const uint64_t *y, size_t ny,
                      int sy) {
  const size_t rows = sx || nx > m ? m : nx, columns = sy || ny > m ? m : ny;
  for (size_t k = 0; k < m; ++k) r[k] = 0;
  for (size_t i = 0; i < rows; ++i) {
    const uint64_t a = lt_limb(x, nx, sx, i);
    uint64_t carry = 0;
    size_t k = i;
    for (size_t j = 0; j < columns && k < m; ++j, ++k) {
      const lt_u128 t = lt_add2(lt_add2(lt_mul64(a, lt_limb(y, ny, sy, j)), LT_MAKE(0, r[k])), LT_MAKE(0, carry));
      r[k] = lt_lo(t);
      carry = lt_hi(t);
    }
    if (k < m) r[k] = carry;
  }
}

/* r += x << s, modulo 2^(64m); x is not negative. */
LT_INLINE void lt_put(uint64_t *r, size_t m, const uint64_t *x, size_t n, size_t s) {
  uint64_t carry = 0;
  for (size_t k = s / 64; k < m; ++k) {
    const size_t bit = 64 * k;
    if (carry == 0 && bit >= s + 64 * n) break;
    const uint64_t part = bit < s ? x[0] << (s - bit) : lt_cut(x, n, 0, bit - s);
    const uint64_t sum = r[k] + part, all = sum + carry;
    carry = (uint64_t)(sum < part) | (uint64_t)(all < sum);
    r[k] = all;
  }
}

/* `bits` bits of an operand of n limbs from bit s on. */
LT_INLINE void lt_field(uint64_t *r, size_t m, const uint64_t *x, size_t n, size_t s, size_t bits) {
  lt_shr(r, m, x, n, 0, s);
  if (bits % 64) r[m - 1] &= ~(uint64_t)0 >> (64 - bits % 64);
}
