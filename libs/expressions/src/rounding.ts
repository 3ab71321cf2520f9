/**
 * Rounds a number to a number of decimals, with halves upwards as in Math.round. Rounds the decimal notation, so that
 * 1.005 becomes 1.01, although the double is slightly smaller.
 */
export function roundTo(value: number, digits: number): number {
  const shifted = shift(value, digits);
  // A double of this size has no decimals.
  if (Math.abs(shifted) > Number.MAX_SAFE_INTEGER) return value;
  return shift(Math.round(shifted), -digits);
}

/** Multiplies by a power of ten, without the error of a floating-point multiplication. */
function shift(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
