import { type RawBuilder, sql } from 'kysely';

/** The schema of the rows that queries read. */
const liveSchema = 'throughline';

/** The tables that hold the rows of the read models; a rebuild has tables of the same names in its own schema. */
export type ReadModelTables = Readonly<{
  schema: string;
  contexts: RawBuilder<unknown>;
  items: RawBuilder<unknown>;
  versions: RawBuilder<unknown>;
  agents: RawBuilder<unknown>;
  lineages: RawBuilder<unknown>;
  openWork: RawBuilder<unknown>;
}>;

/** Names without their schema, in the order in which they are locked and moved. */
export const readModelTableNames = [
  'contexts',
  'context_items',
  'context_versions',
  'context_agents',
  'context_lineages',
  'open_work',
] as const;

export function tablesIn(schema: string): ReadModelTables {
  const named = (name: (typeof readModelTableNames)[number]) => sql.table(`${schema}.${name}`);
  return {
    schema,
    contexts: named('contexts'),
    items: named('context_items'),
    versions: named('context_versions'),
    agents: named('context_agents'),
    lineages: named('context_lineages'),
    openWork: named('open_work'),
  };
}

export const liveTables = tablesIn(liveSchema);
