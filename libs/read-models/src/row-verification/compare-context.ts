import { readModelTableNames } from '../tables.js';
import { type RowLines } from './row-lines.js';

/** The first difference between the rows and the folded events, by table; null if there is none. */
export function compareLines(actual: RowLines, folded: RowLines): string | null {
  for (const table of readModelTableNames) {
    const [is, should] = [new Set(actual[table]), new Set(folded[table])];
    const missing = folded[table].filter((line) => !is.has(line));
    const wrong = actual[table].filter((line) => !should.has(line));
    if (missing.length + wrong.length > 0)
      return `${table}: ${wrong.length} unexpected rows, ${missing.length} missing rows, first ${wrong[0] ?? missing[0]}`;
  }
  return null;
}
