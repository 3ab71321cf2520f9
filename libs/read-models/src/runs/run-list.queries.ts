import { parseJsonString } from '#event-sourcing';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId, type Item } from '#shared-context';

import { itemRow, toItem } from '../contexts/item-rows.js';
import { definitionIn, rankIn, startedAtIn, statusIn } from './run-state.js';

/** The end of a page: the values of its last row in the columns that order the list. */
export type RunListPosition = Readonly<{ rank: number; startedAt: string; contextId: string }>;

/** The newest run of a context. `waiting`: its steps that wait for an agent or a person. */
export type ListedRun = Readonly<{
  id: ContextId;
  title: string | null;
  item: Item;
  waiting: readonly Item[];
  position: RunListPosition;
}>;

type RunFilter = Readonly<{
  workspace: string;
  /** Limits of the caller's key: only these contexts (or their children), and only contexts of these workflows. */
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
  status?: readonly string[] | undefined;
  definitionId?: string | undefined;
}>;

const runRow = itemRow.extend({
  context_id: z.string(),
  title: z.string().nullable(),
  rank: z.number(),
  started_at: z.string(),
});
const stepRow = itemRow.extend({ context_id: z.string() });

const isRun = sql`i.kind = 'run' and i.to_version is null`;
const startedAt = startedAtIn('i');
const rank = rankIn('i');

/** The newest runs of contexts: runs that need attention first, then the newest. Rows may lag behind the log. */
export async function listRuns(
  db: Kysely<Database>,
  filter: RunFilter,
  { after, limit }: Readonly<{ after: RunListPosition | undefined; limit: number }>,
): Promise<readonly ListedRun[]> {
  const conditions = [...conditionsOf(filter), ...(after ? [afterPosition(after)] : [])];
  const { rows } = await sql`
    select i.kind, i.key, i.from_version, i.state, null as body, null as sources,
           i.context_id, c.title, ${rank} as rank, ${startedAt} as started_at
    from throughline.context_items i
    join throughline.contexts c on c.workspace = i.workspace and c.context_id = i.context_id
    where ${sql.join(conditions, sql` and `)}
    order by ${rank}, ${startedAt} desc, i.context_id limit ${limit}`.execute(db);
  const found = rows.map((row) => runRow.parse(row));
  const waiting = await waitingSteps(
    db,
    filter.workspace,
    found.map((row) => row.context_id),
  );
  return found.map((row) => listed(filter.workspace, row, waiting));
}

function conditionsOf(filter: RunFilter): readonly RawBuilder<unknown>[] {
  const { workspace, contexts, workflows, status, definitionId } = filter;
  return [
    sql`i.workspace = ${workspace} and ${isRun}`,
    ...(contexts ? [sql`(c.context_id = any(${contexts}) or c.parent = any(${contexts}))`] : []),
    ...(workflows ? [sql`c.workflow_id = any(${workflows})`] : []),
    ...(status ? [sql`${statusIn('i')} = any(${status})`] : []),
    ...(definitionId === undefined
      ? []
      : [sql`${definitionIn('i')} = ${JSON.stringify(definitionId).slice(1, -1)}`]),
  ];
}

function afterPosition({
  rank: place,
  startedAt: at,
  contextId,
}: RunListPosition): RawBuilder<unknown> {
  return sql`(${rank} > ${place} or (${rank} = ${place}
    and (${startedAt} < ${at} or (${startedAt} = ${at} and i.context_id > ${contextId}))))`;
}

async function waitingSteps(
  db: Kysely<Database>,
  workspace: string,
  contextIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Item[]>> {
  if (contextIds.length === 0) return new Map();
  const { rows } = await sql`
    select o.* from throughline.open_work o
    where o.workspace = ${workspace} and o.context_id = any(${contextIds})
      and o.kind = 'run-step' and o.due
    order by o.context_id, o.opened_at, o.key`.execute(db);
  const steps = rows.map((row) => stepRow.parse(row));
  const byContext = Map.groupBy(steps, ({ context_id: contextId }) => contextId);
  return new Map([...byContext].map(([contextId, found]) => [contextId, found.map(toItem)]));
}

function listed(
  workspace: string,
  row: z.output<typeof runRow>,
  waiting: ReadonlyMap<string, readonly Item[]>,
): ListedRun {
  const { context_id: contextId, title, rank: placed, started_at } = row;
  return {
    id: { workspace, contextId },
    title: title === null ? null : parseJsonString(title),
    item: toItem(row),
    waiting: waiting.get(contextId) ?? [],
    position: { rank: placed, startedAt: started_at, contextId },
  };
}
