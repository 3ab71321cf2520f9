/** All characters that end a line for some reader. */
const lineEnds = /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]+/g;
const backticks = /`+/g;

/** Puts untrusted text into a fence that it cannot close: longer than any run of backticks in the text. */
export function fenced(text: string): string {
  const visible = displayText(text);
  const fence = '`'.repeat(Math.max(3, longestRun(visible) + 1));
  return `${fence}text\n${visible}${visible.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Puts an untrusted name on one line into a code span that it cannot end. */
export function codeSpan(text: string, maxLength = 300): string {
  const line = shorten(displayText(text).replaceAll(lineEnds, ' '), maxLength);
  const ticks = '`'.repeat(longestRun(line) + 1);
  const pad = /^`|`$|^ .* $/.test(line) || line === '' ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** Puts a text on one line of at maxLength `maxLength` characters. */
export function oneLine(text: string, maxLength: number): string {
  return shorten(displayText(text).replaceAll(lineEnds, ' '), maxLength);
}

/** Replaces characters that a prompt cannot contain with U+FFFD. */
function displayText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

function shorten(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(backticks)) longest = Math.max(longest, run.length);
  return longest;
}
