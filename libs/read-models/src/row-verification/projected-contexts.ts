import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

import { liveTables } from '../tables.js';

const contextsPerPage = 1_000;

const owner = z.object({ workspace: z.string(), context_id: z.string() });

/** Every context with a row in any table, in order and in pages. */
export async function* listProjectedContexts(db: Kysely<Database>): AsyncGenerator<ContextId[]> {
  for (let after: ContextId = { workspace: '', contextId: '' }; ;) {
    const pages = [liveTables.contexts, liveTables.items, liveTables.versions]
      .concat(liveTables.agents, liveTables.lineages, liveTables.openWork)
      .map((table) => pageOf(table, after));
    const { rows } = await sql`
      ${sql.join(pages, sql` union `)} order by workspace, context_id limit ${contextsPerPage}`.execute(
      db,
    );
    const page = rows
      .map((row) => owner.parse(row))
      .map(({ workspace, context_id: contextId }) => ({ workspace, contextId }));
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last;
  }
}

/** Reads each table by its key, at most one page. */
function pageOf(table: (typeof liveTables)['contexts'], { workspace, contextId }: ContextId) {
  return sql`(
    select distinct workspace, context_id from ${table}
    where (workspace, context_id) > (${workspace}, ${contextId})
    order by workspace, context_id limit ${contextsPerPage})`;
}
