/* Bits low to low + width - 1 of a value, into `words` words from bit `to` on, which are 0 there. */
static void lt_bits(const uint64_t *frame, uint32_t number, uint32_t low, uint32_t width, uint64_t *r, uint32_t to) {
  for (uint32_t done = 0; done < width;) {
    const uint32_t from = low + done, at = to + done;
    uint32_t count = width - done;
    if (count > 64 - from % 64) count = 64 - from % 64;
    if (count > 64 - at % 64) count = 64 - at % 64;
    uint64_t part = lt_value(frame, number, from / 64) >> from % 64;
    if (count < 64) part &= (UINT64_C(1) << count) - 1;
    r[at / 64] |= part << at % 64;
    done += count;
  }
}

/* The cell of a signal in a cycle, from bit `to` of r on; 0 for don't care and for a cycle outside of the table. */
static int lt_cell(const uint64_t *frame, uint32_t column, int64_t cycle, uint64_t *r, uint32_t to) {
  if (cycle < 0 || cycle >= LT_CYCLES) return 0;
  for (uint32_t part = lt_columns[column].first; part < lt_columns[column + 1].first; ++part) {
    const int32_t number = lt_cells[cycle][part];
    if (number < 0) return 0;
    lt_bits(frame, (uint32_t)number, lt_parts[part].low, lt_parts[part].width, r, to);
    to += lt_parts[part].width;
  }
  return 1;
}
