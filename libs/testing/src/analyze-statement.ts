import type pg from 'pg';

import { type SentStatement } from './count-statements.js';

/** A node of a query plan, as PostgreSQL executed it. */
export type PlanNode = Readonly<{
  type: string;
  table: string | undefined;
  index: string | undefined;
  /** The condition of the index search. */
  condition: string | undefined;
  /** The rows that the node returned, and the rows that it read and discarded, over all loops. */
  rows: number;
  removed: number;
}>;

/** A node in the format of `explain (format json)`. */
type ExplainedNode = Readonly<{
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: readonly ExplainedNode[];
}>;

/** Runs a statement, rolls it back, and returns all executed nodes of its plan, outer nodes first. For tests. */
export async function analyzeStatement(
  pool: pg.Pool,
  { text, values }: SentStatement,
): Promise<readonly PlanNode[]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: ExplainedNode }] }>(
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

function nodesIn(node: ExplainedNode): readonly (PlanNode & { loops: number })[] {
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
