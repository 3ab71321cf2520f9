import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type CallOptions } from '#event-sourcing';
import { type ContextId, baseOf } from '#shared-context';

import { liveTables } from '../tables.js';
import { type ContextReader } from './context-reader.js';
import { beforeAllVersions } from './item-history.js';

type Source = Readonly<{ db: Kysely<Database>; reader: ContextReader }>;

/** Versions after `from`, up to `to`. */
type Range = Readonly<{ from: number; to: number }>;

/** From `version` on, the context builds on its version `base`. */
type Link = Readonly<{ version: number; base: number }>;

/**
 * A version up to which both ends of a range are equal: the start of the range, or an earlier version if a restore in
 * the range went back further. {@link beforeAllVersions} if the range holds a fork, whose content comes from another context.
 */
export async function findLowestBase(
  { db, reader }: Source,
  id: ContextId,
  { from, to }: Range,
  options?: CallOptions,
): Promise<number> {
  const { projected, links } = await findLinks(db, id, { from, to });
  for await (const event of reader.tail(id, { after: projected, until: to }, options)) {
    const base = baseOf(id.contextId, event);
    if (base)
      links.unshift({
        version: event.version,
        base: base.forked ? beforeAllVersions : base.version,
      });
  }
  // A restore may revert earlier restores that went back further.
  return links.reduce(
    (lowest, { version, base }) => (version > lowest ? Math.min(lowest, base) : lowest),
    from,
  );
}

/** The links in the rows, newest first. */
async function findLinks(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
  { from, to }: Range,
): Promise<{ projected: number; links: Link[] }> {
  const { rows } = await sql<{ projected: number; version: number | null; base: number }>`
    select c.version as projected, l.from_version as version,
      case when l.base_context_id = c.context_id then l.base_version else ${beforeAllVersions}::int end as base
    from ${liveTables.contexts} c
    left join ${liveTables.lineages} l
      on c.lineage > ${from} and l.workspace = c.workspace and l.context_id = c.context_id and l.from_version <= ${to}
    where c.workspace = ${workspace} and c.context_id = ${contextId}
    order by l.from_version desc`.execute(db);
  const links = rows.flatMap(({ version, base }) => (version === null ? [] : [{ version, base }]));
  return { projected: rows[0]?.projected ?? 0, links };
}
