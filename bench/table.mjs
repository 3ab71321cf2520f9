/** Markdown that is readable in a terminal. Figures, with or without a unit, are aligned to the right. */
export function table(heads, rows) {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(3, ...all.map((row) => row[column].length)));
  const isText = heads.map(
    (_, column) => column === 0 || !rows.every((row) => /^(\d|$)/.test(row[column])),
  );
  const fit = (cell, column) =>
    isText[column] ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  const line = (row) => `| ${row.map(fit).join(' | ')} |`;
  const dashes = widths.map((width, column) =>
    isText[column] ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(heads), `| ${dashes.join(' | ')} |`, ...rows.map(line)];
}
