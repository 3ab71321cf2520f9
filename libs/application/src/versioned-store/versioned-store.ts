import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

/**
 * A table of the schema `throughline` with a row per version. Its primary key is workspace, name (if it has one) and
 * version.
 */
type VersionTable = Readonly<{
  table: string;
  /** The column of the value, a text. */
  value: string;
  /** The name of the lock under which writes to a workspace run one after the other. */
  lock: string;
  /** The time of a new version; by default that of its transaction. */
  changedAt?: (workspace: string) => RawBuilder<unknown>;
  /** An expression over the versions of a name. Names are listed in its order, then by name. */
  order?: RawBuilder<unknown>;
}>;
/** Each workspace has one value. */
type WorkspaceTable = VersionTable & Readonly<{ name?: never }>;
/** Each workspace has a value for each name; `name` is the column of the name. */
type NamedTable = VersionTable & Readonly<{ name: string }>;

type WorkspaceKey = Readonly<{ workspace: string; name?: never }>;
type NamedKey = Readonly<{ workspace: string; name: string | RawBuilder<unknown> }>;
type KeyIn<Table> = Table extends NamedTable ? NamedKey : WorkspaceKey;

const storedValue = z.object({ version: z.number(), value: z.string() });
const storedVersion = storedValue.extend({
  name: z.string(),
  changedAt: z.date().transform((time) => time.toISOString()),
  changedBy: z.string(),
});

export type StoredValue = Readonly<z.output<typeof storedValue>>;
export type StoredVersion = Readonly<z.output<typeof storedVersion>>;

type NamedRows = Readonly<{ table: string; name: string }>;
type VersionTransaction = Transaction<Database>;
type RunTransaction<Result> = (trx: VersionTransaction) => Promise<Result>;
type NextVersion = Readonly<{ before: StoredVersion | undefined; value: string; by: string }>;
/** Returns the value to add, or the previous version if it is equal. */
type Decide = (
  before: StoredVersion | undefined,
  trx: VersionTransaction,
) => Decision | Promise<Decision>;
type Decision = StoredVersion | string;

/** Values of workspaces. Versions are only added, never changed; the newest is the current one. */
export class VersionedStore<Table extends WorkspaceTable | NamedTable> {
  readonly #table: RawBuilder<unknown>;
  readonly #name: RawBuilder<unknown>;
  readonly #value: RawBuilder<unknown>;

  constructor(
    private readonly db: Kysely<Database>,
    private readonly definition: Table,
  ) {
    // Raw text, because Kysely compiles references again for each statement, which takes 15 µs.
    this.#table = sql.raw(`throughline.${definition.table}`);
    this.#name = sql.raw(definition.name ?? 'workspace');
    this.#value = sql.raw(definition.value);
  }

  async newest(key: KeyIn<Table>, db = this.db): Promise<StoredVersion | undefined> {
    const { rows } = await sql`select ${this.#columns()} ${this.#newestIn(key)}`.execute(db);
    return z.array(storedVersion).parse(rows)[0];
  }

  /** The newest version; reads its value only if it is not the known version. */
  async newestIfChanged(
    knownVersion: number,
    key: KeyIn<Table>,
  ): Promise<StoredValue | 'unchanged' | undefined> {
    const { rows } = await sql<Readonly<{ version: number }>>`
      select version, case when version <> ${knownVersion}::int then ${this.#value} end as value
      ${this.#newestIn(key)}`.execute(this.db);
    return rows[0]?.version === knownVersion ? 'unchanged' : z.array(storedValue).parse(rows)[0];
  }

  /** An SQL expression for another statement: returns the value of the newest version. */
  newestValue(key: KeyIn<Table>): RawBuilder<string | null> {
    return sql<string | null>`(select ${this.#value} ${this.#newestIn(key)})`;
  }

  /** The newest version of each name among the versions that meet a condition. */
  async list(workspace: string, condition = sql`true`, db = this.db): Promise<StoredVersion[]> {
    const { rows } = await this.#newestOfEach(workspace, condition).execute(db);
    return z.array(storedVersion).parse(rows);
  }

  /** The newest version of each name. If `count`, the number of versions, equals the known one, reads no version. */
  async listIfChanged(knownCount: number, workspace: string, count: RawBuilder<number>) {
    const newest = this.#newestOfEach(workspace, sql`counted.versions <> ${knownCount}`);
    const { rows } = await sql<Readonly<{ versions: number }>>`
      select counted.versions, newest.* from (select ${count} as versions) counted
      left join lateral (${newest}) newest on true`.execute(this.db);
    const versions = rows[0]?.versions ?? 0;
    return versions === knownCount
      ? 'unchanged'
      : { versions, newest: z.array(storedVersion).parse(rows) };
  }

  /** Adds a version, unless the previous one is equal; concurrent calls run one after the other. */
  put(key: KeyIn<Table>, by: string, decide: Decide) {
    return this.inTransaction(key.workspace, async (trx) => {
      const before = await this.newest(key, trx);
      const value = await decide(before, trx);
      if (typeof value !== 'string') return { version: value, stored: false };
      return { version: await this.add(trx, key, { before, value, by }), stored: true };
    });
  }

  /** Runs a transaction during which no other one changes the values of the workspace. */
  inTransaction<Result>(workspace: string, run: RunTransaction<Result>): Promise<Result> {
    return underLock(this.db, `throughline.${this.definition.lock}.${workspace}`, run);
  }

  /** Call it within {@link inTransaction}. */
  async add(trx: VersionTransaction, key: KeyIn<Table>, { before, value, by }: NextVersion) {
    const { workspace, name } = key;
    const [nameColumn, nameValue] =
      name === undefined ? [sql``, sql``] : [sql`${this.#name},`, sql`${name},`];
    const { rows } = await sql`
      insert into ${this.#table} (workspace, ${nameColumn} version, ${this.#value}, changed_by, changed_at)
      values (${workspace}, ${nameValue} ${(before?.version ?? 0) + 1}, ${value}, ${by},
              ${this.definition.changedAt?.(workspace) ?? sql`now()`})
      returning ${this.#columns()}`.execute(trx);
    return storedVersion.parse(rows[0]);
  }

  #newestOfEach(workspace: string, condition: RawBuilder<unknown>): RawBuilder<unknown> {
    return sql`
      select * from (
        select distinct on (${this.#name}) ${this.#columns()}, ${this.definition.order ?? sql`0`} as list_order
        from ${this.#table} where workspace = ${workspace} and ${condition}
        order by ${this.#name}, version desc) newest
      order by list_order, name`;
  }

  #columns(): RawBuilder<unknown> {
    return sql`${this.#name} as name, version, ${this.#value} as value,
               changed_at as "changedAt", changed_by as "changedBy"`;
  }

  #newestIn({ workspace, name }: KeyIn<Table>): RawBuilder<unknown> {
    const hasName = name === undefined ? sql`true` : sql`${this.#name} = ${name}`;
    return sql`
      from ${this.#table} where workspace = ${workspace} and ${hasName} order by version desc limit 1`;
  }
}

/** Runs a transaction during which no other one runs under the same lock. */
export function underLock<Result>(
  db: Kysely<Database>,
  lock: string,
  run: RunTransaction<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
    return run(trx);
  });
}

/** The number of names that a workspace has in a table. */
export async function countNames(
  trx: VersionTransaction,
  { table, name }: NamedRows,
  workspace: string,
) {
  const { rows } = await sql<{ names: number }>`
    select count(distinct ${sql.ref(name)})::int as names from ${sql.raw(`throughline.${table}`)}
    where workspace = ${workspace}`.execute(trx);
  return rows[0]?.names ?? 0;
}
