import pg from 'pg';

const int8 = 20;

type PoolOptions = {
  readonly connectionString: string;
  /** The application name in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly max?: number;
  /** The server cancels a statement that runs longer. */
  readonly statementTimeoutMs?: number;
  /** The server cancels a statement that waits longer than this for a lock. */
  readonly lockTimeoutMs?: number;
  /** The server ends a session that idles in a transaction for longer than this. */
  readonly idleInTransactionTimeoutMs?: number;
  /** How long to wait for a free or new connection. */
  readonly connectTimeoutMs?: number;
  /** Called for connections that were lost; the pool replaces them by itself. */
  readonly onError?: (error: Error) => void;
};

/**
 * A pool whose connections may be lost at any time without ending the process, and whose `bigint` columns are returned
 * as `bigint`. Settings in the connection string take precedence over the options.
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
  // The pool only listens to idle clients: the loss of a client that is checked out would end the process
  // (node-postgres issue 2439). The listener on the client receives errors in both states, so that the listener of the
  // pool ignores them.
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    client.on('error', (error) => options.onError?.(withoutClient(error)));
  });
  return pool;
}

function ignore(): void {}

/** The pool attaches the client, including its password, to the error; it must not reach a log. */
function withoutClient(error: Error): Error {
  Reflect.deleteProperty(error, 'client');
  return error;
}

/** Per pool, because the global parsers of the driver belong to the program that embeds Throughline. */
function bigIntTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(int8, BigInt);
  return types;
}
