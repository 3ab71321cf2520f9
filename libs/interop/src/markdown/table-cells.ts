const delimiter = /^:?-+:?$/;

/** The cells of a row of a table, trimmed; undefined if the line is not one. A bar after a backslash is text. */
export function tableCells(line: string): string[] | undefined {
  const row = line.trim();
  if (!row.startsWith('|') || row.length < 2) return undefined;
  const cells: string[] = [];
  let cell = '';
  for (let at = 1; at < row.length; at++) {
    if (row[at] === '\\' && row[at + 1] === '|') cell += row[++at];
    else if (row[at] === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += row[at];
  }
  return cell.trim() === '' ? cells : [...cells, cell.trim()];
}

/** Whether the line separates the heading of a table from its rows. */
export function isTableDelimiter(line: string): boolean {
  const cells = tableCells(line)?.filter((cell) => cell !== '') ?? [];
  return cells.length > 0 && cells.every((cell) => delimiter.test(cell));
}
