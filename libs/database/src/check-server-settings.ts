import { type Kysely, sql } from 'kysely';

import { UnsafeServerError } from './errors.js';

const oldestVersion = 150_000;

/** Settings that the server reports in a session like those of the program. */
export type ServerFacts = {
  readonly versionNumber: number;
  readonly isReplica: boolean;
  readonly fsync: string;
  readonly fullPageWrites: string;
  /** The value for this role in this database, which may differ from the value of the server. */
  readonly synchronousCommit: string;
  readonly readOnly: string;
  readonly encoding: string;
};

/** @throws UnsafeServerError if the server could lose acknowledged writes, or cannot be written to. */
export async function checkServerSettings<T>(db: Kysely<T>): Promise<void> {
  refuseUnsafe(await readFacts(db));
}

export function refuseUnsafe(facts: ServerFacts): void {
  const broken = rules(facts).find(([isBroken]) => isBroken);
  if (broken === undefined) return;
  const [, setting, value, advice] = broken;
  throw new UnsafeServerError(setting, String(value), advice);
}

type Rule = readonly [isBroken: boolean, setting: string, value: string | number, advice: string];

function rules(facts: ServerFacts): readonly Rule[] {
  const { versionNumber, isReplica, readOnly, encoding } = facts;
  const lossy = ([setting, value]: readonly [string, string]): Rule => [
    value === 'off',
    setting,
    value,
    `acknowledged events could be lost; set ${setting}=on for the server, this role and this database`,
  ];
  const settings = [
    ['fsync', facts.fsync],
    ['full_page_writes', facts.fullPageWrites],
    ['synchronous_commit', facts.synchronousCommit],
  ] as const;
  return [
    [
      versionNumber < oldestVersion,
      'server_version_num',
      versionNumber,
      'Throughline needs PostgreSQL 15 or newer',
    ],
    [isReplica, 'in_recovery', 'on', 'a replica takes no writes; connect to the primary'],
    [
      readOnly === 'on',
      'default_transaction_read_only',
      readOnly,
      'it takes no writes; set it to off for this role and this database',
    ],
    [
      encoding !== 'UTF8',
      'server_encoding',
      encoding,
      'texts could not be stored as sent; create the database with encoding UTF8',
    ],
    ...settings.map(lossy),
  ];
}

async function readFacts<T>(db: Kysely<T>): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version_num')::int as "versionNumber",
           pg_is_in_recovery() as "isReplica",
           current_setting('fsync') as "fsync",
           current_setting('full_page_writes') as "fullPageWrites",
           current_setting('synchronous_commit') as "synchronousCommit",
           current_setting('default_transaction_read_only') as "readOnly",
           current_setting('server_encoding') as "encoding"`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('the query of settings returned no row');
  return facts;
}
