const lineEnd = /\r\n|[\n\r\u2028\u2029]/;
const fence = /^\s*(`{3,}(?!`)|~{3,}(?!~))(.*)$/s;
const blockQuote = /^\s*>/;
/** What colours a terminal's output. */
const colours = /\p{Cc}\[[\d;]{0,32}m/gu;

/**
 * The lines of a Markdown text that its author says, without those that are quoted: block quotes and fenced code, which
 * ends where CommonMark says it does. Indentation quotes nothing: agents indent under lists.
 */
export function* spokenLines(text: string): Generator<string> {
  let open: string | undefined;
  for (const line of text.replaceAll(colours, '').split(lineEnd))
    if (open !== undefined) {
      if (closes(open, line)) open = undefined;
    } else {
      open = openedBy(line);
      if (open === undefined && !blockQuote.test(line)) yield line;
    }
}

/** The marks that begin a block of code; backticks on both sides of a text make it code within a line. */
function openedBy(line: string): string | undefined {
  const [, marks, info = ''] = fence.exec(line) ?? [];
  return marks?.startsWith('`') && info.includes('`') ? undefined : marks;
}

function closes(open: string, line: string): boolean {
  const [, marks = '', info = ''] = fence.exec(line) ?? [];
  return marks.startsWith(open) && info.trim() === '';
}
