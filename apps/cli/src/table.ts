import { oneLine } from './printable.js';

const widestCell = 60;

/** Left-aligned columns under their headings; an absent value shows as `-`. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null | undefined)[])[],
): string {
  const lines = [headings, ...rows.map((row) => row.map(formatCell))];
  const widths = headings.map((_, at) =>
    lines.reduce((widest, line) => Math.max(widest, line[at]?.length ?? 0), 0),
  );
  return lines
    .map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function formatCell(value: string | number | null | undefined): string {
  return oneLine(String(value ?? '-'), widestCell) || '-';
}
