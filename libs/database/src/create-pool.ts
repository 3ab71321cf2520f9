import pg from 'pg';

const int8 = 20;

type PoolOptions = {
  readonly connectionString: string;
  /** What `pg_stat_activity` shows. */
  readonly applicationName: string;
  readonly max?: number;
  /** The server cancels a statement that runs longer. */
  readonly statementTimeoutMs?: number;
  /** The server gives up on a lock after this long. */
  readonly lockTimeoutMs?: number;
  /** The server ends a session that holds a transaction open and does nothing. */
  readonly idleInTransactionTimeoutMs?: number;
  /** How long to wait for a free or new connection. */
  readonly connectTimeoutMs?: number;
  /** Hears of connections that died; the pool replaces them by itself. */
  readonly onError?: (error: Error) => void;
};

/**
 * A pool whose connections may die at any time without ending the process, and whose `bigint` columns arrive as
 * `bigint`. What the connection string itself says wins over the options.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    application_name: options.applicationName,
    max: options.max ?? 10,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    lock_timeout: options.lockTimeoutMs ?? 10_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 30_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    keepAlive: true,
    types: bigIntTypes(),
  });
  // The pool listens only to idle clients: one that dies while checked out would end the process
  // (node-postgres issue 2439). The listener on the client hears of both kinds, so the pool's own says nothing.
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    client.on('error', (error) => options.onError?.(withoutClient(error)));
  });
  return pool;
}

function ignore(): void {}

/** The pool hangs the whole client, password included, on the error; it must not reach a log. */
function withoutClient(error: Error): Error {
  Reflect.deleteProperty(error, 'client');
  return error;
}

/** Per pool, because the driver's global parsers belong to the program that embeds us. */
function bigIntTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(int8, BigInt);
  return types;
}
