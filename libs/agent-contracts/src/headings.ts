import { type Spend } from '#expressions';

import { stepsOfText } from './text-steps.js';

/** The {@link sectionName} of each heading of a Markdown text whose section is not blank. One step per line. */
export function* headingsOf(text: string, spend: Spend): Generator<void, ReadonlySet<string>> {
  const found = new Set<string>();
  let open: readonly Heading[] = [];
  for (const line of linesOf(text)) {
    yield;
    spend(1 + stepsOfText(line.length));
    const { heading } = line;
    if (heading) open = [...open.filter(above(heading)), heading];
    else if (!line.isBlank) {
      for (const { name } of open) found.add(name);
      open = [];
    }
  }
  return found;
}

/** Normalizes a heading: `Target Users`, `target_users` and `target-users:` have the same section name. */
export function sectionName(heading: string): string {
  return heading
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');
}

type Heading = Readonly<{ level: number; name: string }>;
type Line = Readonly<{ heading: Heading | undefined; isBlank: boolean; length: number }>;

function above({ level }: Heading) {
  return (one: Heading) => one.level < level;
}

/** The lines of a text; lines between fences are code, and so never headings. */
function* linesOf(text: string): Generator<Line> {
  let fence: string | undefined;
  for (let from = 0; from <= text.length;) {
    const feed = text.indexOf('\n', from);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(from, end);
    yield {
      heading: fence === undefined ? headingIn(line) : undefined,
      isBlank: line.trim() === '',
      length: line.length,
    };
    const mark = fenceOf(line);
    if (mark !== undefined) fence = nextFence(fence, mark);
    from = end + 1;
  }
}

/** A heading has one to six `#` after at most three spaces; closing hashes are ignored. */
function headingIn(line: string): Heading | undefined {
  const indent = leading(line, ' ');
  const rest = line.slice(indent);
  const level = leading(rest, '#');
  if (indent > 3 || level === 0 || level > 6) return undefined;
  const next = rest[level];
  if (next !== undefined && next !== ' ' && next !== '\t' && next !== '\r') return undefined;
  return { level, name: sectionName(rest.slice(level)) };
}

/** A fence is a line that begins with three or more backticks or tildes; lines between two fences are code. */
function fenceOf(line: string): string | undefined {
  const rest = line.trimStart();
  const mark = rest[0] ?? '';
  return (mark === '`' || mark === '~') && leading(rest, mark) >= 3 ? mark : undefined;
}

function nextFence(open: string | undefined, mark: string): string | undefined {
  if (open === undefined) return mark;
  return open === mark ? undefined : open;
}

function leading(text: string, character: string): number {
  let count = 0;
  while (text[count] === character) count++;
  return count;
}
