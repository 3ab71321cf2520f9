/**
 * Whether a decimal literal keeps its value as a double: the shortest decimal text of the nearest double has the same
 * value. This is true for `0.1` and `1.10`, and false for `9007199254740993`, `1e400` and `1e-400`.
 */
export function isExactNumber(literal: string): boolean {
  const number = Number(literal);
  if (!Number.isFinite(number)) return false;
  const shortest = String(number);
  return shortest === literal || sameDecimal(decimalOf(literal), decimalOf(shortest));
}

/** `digits` x 10^`exponent`, without leading or trailing zeros; zero has no digits. */
type Decimal = Readonly<{ digits: string; exponent: number }>;

function sameDecimal(left: Decimal, right: Decimal): boolean {
  if (left.digits === '' && right.digits === '') return true;
  return left.digits === right.digits && left.exponent === right.exponent;
}

function decimalOf(literal: string): Decimal {
  const [mantissa = '', exponent = '0'] = literal.replace('-', '').split(/e/i, 2);
  const signed = /e-/i.test(literal) && !exponent.startsWith('-') ? `-${exponent}` : exponent;
  const [whole = '', fraction = ''] = mantissa.split('.', 2);
  return trimZeros(whole + fraction, Number(signed) - fraction.length);
}

// Loops, because a regular expression for trailing zeros takes quadratic time.
function trimZeros(digits: string, exponent: number): Decimal {
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  return { digits: digits.slice(start, end), exponent: exponent + digits.length - end };
}
