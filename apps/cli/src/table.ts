import { oneLine } from './terminal.js';

const widestCell = 60;

/** Left-aligned columns under their headings; an absent value shows as `-`. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null | undefined)[])[],
): string {
  const lines = [headings, ...rows.map((row) => row.map(formatCell))];
  const widths = headings.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function formatCell(value: string | number | null | undefined): string {
  return oneLine(String(value ?? '-'), widestCell) || '-';
}
