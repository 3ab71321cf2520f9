/**
 * A number with so many digits behind the point, halves upwards as in Math.round. Rounds the number as it is written, so
 * that 1.005 becomes 1.01 though the double is a little less.
 */
export function roundTo(value: number, digits: number): number {
  const shifted = shift(value, digits);
  // A double of that size has no such digits.
  if (Math.abs(shifted) > Number.MAX_SAFE_INTEGER) return value;
  return shift(Math.round(shifted), -digits);
}

/** Times a power of ten, without the error of a multiplication. */
function shift(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
