/** Whatever ends a line for some reader. */
const lineEnds = /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]+/g;
const backticks = /`+/g;

/** Text of others in a fence that nothing in it can close: longer than any run of backticks in it. */
export function fenced(text: string): string {
  const shown = displayText(text);
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}text\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** A name of others as a code span that nothing in it can end, in one line. */
export function codeSpan(text: string, most = 300): string {
  const line = shorten(displayText(text).replaceAll(lineEnds, ' '), most);
  const ticks = '`'.repeat(longestRun(line) + 1);
  const pad = /^`|`$|^ .* $/.test(line) || line === '' ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** The same text in one line of at most so many characters. */
export function oneLine(text: string, most: number): string {
  return shorten(displayText(text).replaceAll(lineEnds, ' '), most);
}

/** What no prompt can carry is shown as U+FFFD. */
function displayText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(backticks)) longest = Math.max(longest, run.length);
  return longest;
}
