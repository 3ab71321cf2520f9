import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { type ContextId, type Item, type ItemKind } from '#shared-context';

import { ContextReader } from '../contexts/context-reader.js';
import { itemRow, toItem } from '../contexts/item-rows.js';
import { bodyBytesOf } from '../contexts/referenced-body.js';

/** An item without its payload, and the size of the payload in bytes. */
export type SizedItem = Readonly<{ item: Item; bytes: number }>;

/** The facts of a context in the rows, with its selected items. */
export type SizedContext = Readonly<{
  version: number;
  tokens: number;
  lineage: number | null;
  items: readonly SizedItem[];
}>;

const head = z.object({
  version: z.number(),
  tokens: z.coerce.number(),
  lineage: z.number().nullable(),
});
const sizedRow = itemRow.extend({ bytes: z.number() });

/**
 * The current items of some kinds that changed after version `after`, from the read model. Payloads are not read,
 * unless the context is a fork or was restored. Undefined if there is no context.
 */
export async function findSizedItems(
  { db, store }: Readonly<{ db: Kysely<Database>; store: EventStore }>,
  id: ContextId,
  { kinds, after }: Readonly<{ kinds: readonly ItemKind[]; after: number }>,
): Promise<SizedContext | undefined> {
  const { rows } = await sql`
    select c.version, c.tokens, c.lineage, i.* from throughline.contexts c
    left join lateral (
      select i.kind, i.key, i.from_version, i.state, null as body, i.sources,
        coalesce(${bodyBytesOf}, 0) as bytes
      from throughline.context_items i
      where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = any(${kinds})
        and i.to_version is null and i.from_version > ${after}) i on c.lineage is null
    where c.workspace = ${id.workspace} and c.context_id = ${id.contextId} and c.version > 0`.execute(
    db,
  );
  const [first] = rows;
  if (!first) return undefined;
  const context = head.parse(first);
  if (context.lineage !== null) {
    const { state } = await new ContextReader(db, store).readAt(id, context.version, { kinds });
    const items = [...state.values()].filter(({ fromVersion }) => fromVersion > after);
    return { ...context, items: items.map(withSize) };
  }
  const items = rows.flatMap((row) => sizedRow.safeParse(row).data ?? []);
  return { ...context, items: items.map(({ bytes, ...row }) => ({ item: toItem(row), bytes })) };
}

function withSize(item: Item): SizedItem {
  const bytes = item.body === undefined ? 0 : Buffer.byteLength(JSON.stringify(item.body));
  return { item, bytes };
}
