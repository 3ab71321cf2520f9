/** A command as a page shows it, and the lines that must follow it. `line` counts from 1. */
export type PageCommand = Readonly<{
  line: number;
  text: string;
  expected: readonly string[];
}>;

/** A block ends at a fence of the length that it began with. */
const fence = /^(`{3,})(\w*)/;
/** The day docs/audit.md looks into: its times are the data's own, the same in every run. */
const dayOfTheData = '2026-04-07';

/** Every command of the page's ```console blocks, in order. */
export function commandsOf(page: string): readonly PageCommand[] {
  const commands: { line: number; text: string; expected: string[] }[] = [];
  let block: Readonly<{ marks: string; language: string }> | undefined;
  for (const [at, line] of page.split('\n').entries()) {
    const [, marks, language = ''] = fence.exec(line) ?? [];
    if (block && marks === block.marks) block = undefined;
    else if (!block && marks !== undefined) block = { marks, language };
    else if (block?.language !== 'console') continue;
    else if (line.startsWith('$ ') || line === '^C')
      commands.push({ line: at + 1, text: line.replace(/^\$ /, ''), expected: [] });
    else commands.at(-1)?.expected.push(line);
  }
  return commands.map((command) => ({ ...command, expected: trimmed(command.expected) }));
}

/** A file that the page shows: a block that has its name behind the language. */
export type PageFile = Readonly<{ name: string; text: string }>;

export function filesOf(page: string): readonly PageFile[] {
  const blocks = page.matchAll(/^(`{3,})\w+ (\S+)\n([^]*?)^\1$/gm);
  return Array.from(blocks, ([, , name = '', text = '']) => ({ name, text }));
}

/** Names that the server makes up and that commands may repeat: ids and secrets of keys. */
const madeUp =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b|\btl_[\w-]{43}/g;

/** What the names that a page shows are in these lines, if they are as many. */
export function namesIn(
  shown: readonly string[],
  lines: readonly string[],
): ReadonlyMap<string, string> {
  const [before, now] = [shown, lines].map((each) => each.join('\n').match(madeUp) ?? []);
  if (before?.length !== now?.length) return new Map();
  return new Map(before?.map((name, at) => [name, now?.[at] ?? name]));
}

/** The page with other output behind its commands, by the line of each. */
export function rewritten(page: string, outputs: ReadonlyMap<number, readonly string[]>): string {
  const lines = page.split('\n');
  const commands = commandsOf(page);
  for (const { line, expected } of commands.toReversed()) {
    const output = outputs.get(line);
    if (output) lines.splice(line, expected.length, ...output);
  }
  return lines.join('\n');
}

/** Whether lines are as expected, where `...` stands for any number of them. */
export function matches(lines: readonly string[], expected: readonly string[]): boolean {
  const [first, ...rest] = expected;
  if (first === undefined) return lines.length === 0;
  if (first === '...') {
    const starts = Array.from({ length: lines.length + 1 }, (_, from) => from);
    return starts.some((from) => matches(lines.slice(from), rest));
  }
  return masked(lines[0]) === masked(first) && matches(lines.slice(1), rest);
}

/** What differs from run to run: ids and hashes of what is new, durations, rates, and times of the run. */
export function masked(line: string | undefined): string | undefined {
  return line
    ?.replaceAll(/\btl_[\w-]{43}/g, '<secret>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/\b[0-9a-f]{12,64}\b/g, '<hash>')
    .replaceAll(/\b20\d\d-\d\d-\d\d[T ][\d:.]+Z?/g, (time) =>
      time.startsWith(dayOfTheData) ? time : '<time>',
    )
    .replaceAll(/\b[\d.]+ ?(ms|s|kB|MB|KiB|MiB)\b/g, '<amount>')
    .replaceAll(/\b[\d,.]+ (events|rows)\/s/g, '<rate>')
    .replaceAll(/ {2,}/g, '  ')
    .trimEnd();
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}
