import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { columnNames } from './principals.js';

const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'rights.md');

/** For each route, the statuses of each column: one for columns without roles, otherwise one per role. */
export type ExpectedRow = Readonly<{
  route: string;
  statuses: ReadonlyMap<string, readonly string[]>;
}>;

/** The rows of the reviewed table. */
export function readExpectedRights(): readonly ExpectedRow[] {
  const [head = [], , ...rows] = readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf);
  const columns = head.slice(1);
  if (columns.join() !== columnNames.join())
    throw new Error(`${page} has other columns than there are callers: ${columns.join()}`);
  return rows.map(([route = '', ...cells]) => ({
    route,
    statuses: new Map(columns.map((column, at) => [column, statusesOf(cells[at] ?? '')])),
  }));
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));
}

function statusesOf(cell: string): readonly string[] {
  const statuses = cell.split(' ');
  return statuses.length === 1 ? Array.from({ length: 4 }, () => cell) : statuses;
}
