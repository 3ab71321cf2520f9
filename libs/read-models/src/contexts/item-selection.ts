import { sql } from 'kysely';

import { type ItemKey, itemKinds, itemNeedsBody } from '#shared-context';

import { encodeKey } from './item-rows.js';

/**
 * Which items to load: those named, or everything a document shows. Without `bodies`, named items come without the
 * payloads that rules do not look at.
 */
export type Selection = Readonly<{ keys: readonly ItemKey[]; bodies: boolean }> | 'document';

const documentKinds = itemKinds.filter((kind) => kind !== 'idempotency' && kind !== 'counter');
const slimKinds = itemKinds.filter((kind) => !itemNeedsBody(kind));

/** A subquery beside the row `c` of the context: what was current at a version, or is now. */
export function documentItems(at: number | null) {
  const current =
    at === null
      ? sql`i.to_version is null`
      : sql`i.from_version <= least(${at}::int, c.version)
          and (i.to_version is null or i.to_version > least(${at}::int, c.version))`;
  return sql`
    select i.kind, i.key, i.from_version, i.state, i.body from throughline.context_items i
    where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = any(${documentKinds}) and ${current}`;
}

/** A subquery beside the row `c` of the context: what is current under these keys. */
export function namedItems({ keys, bodies }: Exclude<Selection, 'document'>) {
  return sql`
    select i.kind, i.key, i.from_version, i.state,
      case when i.kind = any(${bodies ? [] : slimKinds}) then null else i.body end as body
    from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ key }) => encodeKey(key))}::text[]) as w(kind, key)
    join throughline.context_items i
      on i.workspace = c.workspace and i.context_id = c.context_id and i.kind = w.kind and i.key = w.key
    where i.to_version is null`;
}
