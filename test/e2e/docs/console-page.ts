/** A command of a page and its expected output. `line` counts from 1. */
export type PageCommand = Readonly<{
  line: number;
  text: string;
  expected: readonly string[];
}>;

/** A block ends at a fence of the same length as its opening fence. */
const fence = /^(`{3,})(\w*)/;
/** The day of the data in docs/audit.md: these times are the same in every run. */
const dataDay = '2026-04-07';

/** All commands of the page's ```console blocks, in order. */
export function commandsOf(page: string): readonly PageCommand[] {
  const commands: { line: number; text: string; expected: string[] }[] = [];
  let block: Readonly<{ marks: string; language: string }> | undefined;
  for (const [index, line] of page.split('\n').entries()) {
    const [, marks, language = ''] = fence.exec(line) ?? [];
    if (block && marks === block.marks) block = undefined;
    else if (!block && marks !== undefined) block = { marks, language };
    else if (block?.language !== 'console') continue;
    else if (line.startsWith('$ ') || line === '^C')
      commands.push({ line: index + 1, text: line.replace(/^\$ /, ''), expected: [] });
    else commands.at(-1)?.expected.push(line);
  }
  return commands.map((command) => ({ ...command, expected: trimmed(command.expected) }));
}

/** A file shown in a page: a block whose info string has the file's name after the language. */
export type PageFile = Readonly<{ name: string; text: string }>;

export function filesOf(page: string): readonly PageFile[] {
  const blocks = page.matchAll(/^(`{3,})\w+ (\S+)\n([^]*?)^\1$/gm);
  return Array.from(blocks, ([, , name = '', text = '']) => ({ name, text }));
}

/** Values that the server generates and that later commands may contain: ids and secrets of keys. */
const serverValue =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b|\btl_[\w-]{43}/g;

/** Pairs the generated values in the page with those in these lines, if their numbers are equal. */
export function pairServerValues(
  shown: readonly string[],
  lines: readonly string[],
): ReadonlyMap<string, string> {
  const [shownValues, current] = [shown, lines].map(
    (each) => each.join('\n').match(serverValue) ?? [],
  );
  if (shownValues?.length !== current?.length) return new Map();
  return new Map(shownValues?.map((name, at) => [name, current?.[at] ?? name]));
}

/** The page with new output after its commands, by the line of each command. */
export function rewritten(page: string, outputs: ReadonlyMap<number, readonly string[]>): string {
  const lines = page.split('\n');
  const commands = commandsOf(page);
  for (const { line, expected } of commands.toReversed()) {
    const output = outputs.get(line);
    if (output) lines.splice(line, expected.length, ...output);
  }
  return lines.join('\n');
}

/** Compares lines with the expected ones, in which `...` matches any number of lines. */
export function matches(lines: readonly string[], expected: readonly string[]): boolean {
  const [first, ...rest] = expected;
  if (first === undefined) return lines.length === 0;
  if (first === '...') {
    const starts = Array.from({ length: lines.length + 1 }, (_, from) => from);
    return starts.some((from) => matches(lines.slice(from), rest));
  }
  return masked(lines[0]) === masked(first) && matches(lines.slice(1), rest);
}

/** Replaces the values that differ from run to run: ids and hashes, durations, rates, and times of the run. */
export function masked(line: string | undefined): string | undefined {
  return line
    ?.replaceAll(/\btl_[\w-]{43}/g, '<secret>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/\b[0-9a-f]{12,64}\b/g, '<hash>')
    .replaceAll(/\b20\d\d-\d\d-\d\d[T ][\d:.]+Z?/g, (time) =>
      time.startsWith(dataDay) ? time : '<time>',
    )
    .replaceAll(/^(date: )20\d\d-\d\d-\d\d$/g, '$1<day>')
    .replaceAll(/\b[\d.]+ ?(ms|s|kB|MB|KiB|MiB)\b/g, '<amount>')
    .replaceAll(/\b[\d,.]+ (events|rows)\/s/g, '<rate>')
    .replaceAll(/ {2,}/g, '  ')
    .trimEnd();
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}
