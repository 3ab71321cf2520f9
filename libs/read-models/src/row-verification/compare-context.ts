import { readModelTableNames } from '../tables.js';
import { type RowLines } from './row-lines.js';

/** Where the rows differ from what the events fold to, by table and row; null if they do not. */
export function compareLines(actual: RowLines, folded: RowLines): string | null {
  for (const table of readModelTableNames) {
    const [is, should] = [new Set(actual[table]), new Set(folded[table])];
    const missing = folded[table].filter((line) => !is.has(line));
    const wrong = actual[table].filter((line) => !should.has(line));
    if (missing.length + wrong.length > 0)
      return `${table}: ${wrong.length} rows that should not be, ${missing.length} missing, first ${wrong[0] ?? missing[0]}`;
  }
  return null;
}
