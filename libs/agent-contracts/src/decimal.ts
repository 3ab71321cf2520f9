/**
 * Whether a number is a multiple of another in decimal notation: 0.3 is a multiple of 0.1, although the doubles are
 * not.
 */
export function isMultiple(value: number, of: number): boolean {
  const [left, right] = [decimalOf(value), decimalOf(of)];
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = (decimal: Decimal) => decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
  return scaled(left) % scaled(right) === 0n;
}

/** `digits` times ten to the power of `exponent`. */
type Decimal = Readonly<{ digits: bigint; exponent: number }>;

function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
