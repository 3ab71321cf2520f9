import type pg from 'pg';

import { type SentStatement } from './count-statements.js';

/** A node of a plan, as PostgreSQL has run it. */
export type PlanNode = Readonly<{
  type: string;
  table: string | undefined;
  index: string | undefined;
  /** What the index is searched by. */
  condition: string | undefined;
  /** Rows that it has returned, and rows that it has read and dropped, over all loops. */
  rows: number;
  removed: number;
}>;

/** A node as `explain (format json)` writes it. */
type Explained = Readonly<{
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: readonly Explained[];
}>;

/** Runs a statement, undoes it, and returns all nodes of its plan that were run, outer ones first. For tests. */
export async function analyzeStatement(
  pool: pg.Pool,
  { text, values }: SentStatement,
): Promise<readonly PlanNode[]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: Explained }] }>(
      `explain (analyze, timing off, format json) ${text}`,
      [...values],
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    return plan ? nodesIn(plan).filter(({ loops }) => loops > 0) : [];
  } finally {
    await client.query('rollback');
    client.release();
  }
}

function nodesIn(node: Explained): readonly (PlanNode & { loops: number })[] {
  const loops = node['Actual Loops'];
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = {
    type: node['Node Type'],
    table: node['Relation Name'],
    index: node['Index Name'],
    condition: node['Index Cond'],
    rows: node['Actual Rows'] * loops,
    removed: removed * loops,
    loops,
  };
  return [own, ...(node.Plans ?? []).flatMap(nodesIn)];
}
