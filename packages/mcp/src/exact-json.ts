/** Matches strings first, so that numbers within them are skipped. */
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const numberParts = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Returns the first number in a JSON text that parsing would change, because no double represents it exactly. */
export function inexactNumberIn(text: string): string | undefined {
  for (const [token] of text.matchAll(stringsAndNumbers))
    if (!token.startsWith('"') && !isExact(token)) return token;
  return undefined;
}

/** The same rule as in the API: the shortest text of the double has the value of the literal. */
function isExact(literal: string): boolean {
  const number = Number(literal);
  return Number.isFinite(number) && decimalOf(literal) === decimalOf(String(number));
}

/** Returns the digits without leading and trailing zeros, and the power of ten of the last digit. */
function decimalOf(literal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = numberParts.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  let end = digits.length;
  // A loop, because a regular expression for zeros at the end takes quadratic time.
  while (digits[end - 1] === '0') end--;
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
