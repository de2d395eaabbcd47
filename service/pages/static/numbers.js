// SPDX-License-Identifier: Apache-2.0
// Integers as people read them.

/** A value in base 2, 10 or 16, or as a two's complement number of so many bits. */
export function view(value, base, bits, prefixed = true) {
  if (base === "signed") return (value >= 0n ? BigInt.asIntN(bits, value) : value).toString();
  const prefix = prefixed ? { 16: "0x", 2: "0b" }[base] ?? "" : "";
  const digits = (value < 0n ? -value : value).toString(Number(base));
  return (value < 0n ? "-" : "") + prefix + (base === "2" ? digits.padStart(bits, "0") : digits);
}
