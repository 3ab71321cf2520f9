const lineEnd = /\r\n|[\n\r\u2028\u2029]/;
const fence = /^\s*(`{3,}(?!`)|~{3,}(?!~))(.*)$/s;
const blockQuote = /^\s*>/;
/** ANSI escape sequences for colors. */
const colorCodes = /\p{Cc}\[[\d;]{0,32}m/gu;

/**
 * The lines of a Markdown text without quotations, which are block quotes and fenced code blocks as in CommonMark.
 * Indented lines do not count as code: agents indent text in lists.
 */
export function* unquotedLines(text: string): Generator<string> {
  let open: string | undefined;
  for (const line of text.replaceAll(colorCodes, '').split(lineEnd))
    if (open !== undefined) {
      if (closesFence(open, line)) open = undefined;
    } else {
      open = fenceOpenedBy(line);
      if (open === undefined && !blockQuote.test(line)) yield line;
    }
}

/** The marks that open a fenced code block; backticks on both sides of a text are inline code. */
function fenceOpenedBy(line: string): string | undefined {
  const [, marks, info = ''] = fence.exec(line) ?? [];
  return marks?.startsWith('`') && info.includes('`') ? undefined : marks;
}

function closesFence(open: string, line: string): boolean {
  const [, marks = '', info = ''] = fence.exec(line) ?? [];
  return marks.startsWith(open) && info.trim() === '';
}
