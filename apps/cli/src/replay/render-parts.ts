import { printableLine } from '../printable.js';
import { type ChangedPart } from './difference.js';
import { type ComparedLine, compareLines } from './line-difference.js';
import { type Paint } from './paint.js';
import { valueLines } from './value-lines.js';

/** Number of unchanged lines that are printed before and after a changed line. */
const contextLines = 2;
const maxLines = 40;

/** `whole`: whether long parts are printed completely. */
export type PartStyle = Readonly<{ paint: Paint; whole: boolean }>;

/** Renders a part: its name, removed lines in red after `-`, added lines in green after `+`. */
export function renderPart(
  { part, key, before, after }: ChangedPart,
  { paint, whole }: PartStyle,
): string {
  const name = paint.bold(printableLine([part, key].filter((word) => word !== '').join(' ')));
  const lines = nearby(compareLines(linesOf(before), linesOf(after)));
  const shown = whole ? lines : lines.slice(0, maxLines);
  const remaining = lines.length - shown.length;
  const more =
    remaining === 0 ? [] : [paint.dim(`    ... ${remaining} more ${lineWord(remaining)}: --whole`)];
  return [name, ...shown.map((line) => renderLine(line, paint)), ...more].join('\n');
}

/** Renders all changed parts under their headings. */
export function renderParts(parts: readonly ChangedPart[], style: PartStyle): string {
  const byTitle = Map.groupBy(parts, ({ title }) => title);
  return [...byTitle]
    .map(([title, under]) =>
      [style.paint.bold(title), ...under.map((part) => indented(renderPart(part, style)))].join(
        '\n',
      ),
    )
    .join('\n\n');
}

function linesOf(value: unknown): readonly string[] {
  return value === null || value === undefined ? [] : valueLines(value);
}

/** Replaces long runs of unchanged lines by their number. */
function nearby(lines: readonly ComparedLine[]): readonly (ComparedLine | number)[] {
  const near = lines.map(({ change }, at) => change !== ' ' || isNearChange(lines, at));
  const shown: (ComparedLine | number)[] = [];
  for (const [at, line] of lines.entries()) {
    const last = shown.at(-1);
    if (near[at]) shown.push(line);
    else if (typeof last === 'number') shown[shown.length - 1] = last + 1;
    else shown.push(1);
  }
  return shown;
}

function isNearChange(lines: readonly ComparedLine[], at: number): boolean {
  return lines
    .slice(Math.max(at - contextLines, 0), at + contextLines + 1)
    .some(({ change }) => change !== ' ');
}

function renderLine(line: ComparedLine | number, paint: Paint): string {
  if (typeof line === 'number') return paint.dim(`    ... ${line} unchanged ${lineWord(line)}`);
  const text = `  ${line.change} ${line.line}`.trimEnd();
  if (line.change === '+') return paint.added(text);
  return line.change === '-' ? paint.removed(text) : text;
}

function lineWord(count: number): string {
  return count === 1 ? 'line' : 'lines';
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
