import { type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';

import { DatabaseFullError, DatabaseUnavailableError } from './errors.js';

/** How long a statement may have no answer before its connection is closed. */
const answerLimitMs = 10_000;
/** Maximum number of named statements per process; others are sent as text each time. */
const maxStatements = 500;

const diskFull = '53100';
/** SQLSTATEs for connections lost, refused or ended, shutdown, exhausted resources, and exceeded limits. */
const unavailable = /^(08...|57P..|57014|53...|25006|55P03|58...)$/;

/**
 * The pool for Kysely: statements with parameters are prepared once per connection, a connection without an answer is
 * destroyed, and errors caused by the state of the server are thrown as {@link DatabaseUnavailableError} or {@link
 * DatabaseFullError}.
 */
export function guardPool(pool: pg.Pool, limitMs: number = answerLimitMs): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const names = new StatementNames();
  return {
    options: pool.options,
    connect: async () => {
      const client = await translated(() => pool.connect());
      const guarded = clients.get(client) ?? guardClient(client, names, limitMs);
      clients.set(client, guarded);
      return guarded;
    },
    end: () => pool.end(),
  };
}

function guardClient(
  client: pg.PoolClient,
  names: StatementNames,
  limitMs: number,
): PostgresPoolClient {
  let silent = false;
  const query = async (text: string, parameters: readonly unknown[]) => {
    const statement = { text, values: [...parameters], ...names.of(text, parameters.length) };
    try {
      return await translated(() => within(client.query(statement), limitMs));
    } catch (error) {
      silent ||= error instanceof DatabaseUnavailableError;
      throw error;
    }
  };
  return {
    // Without a cursor class in the configuration of the dialect, Kysely always passes text and parameters.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy === true || silent),
  };
}

/** Named statements are parsed and planned once per connection. */
class StatementNames {
  readonly #names = new Map<string, string>();

  of(text: string, parameters: number): { name?: string } {
    if (parameters === 0) return {};
    const known = this.#names.get(text);
    if (known !== undefined) return { name: known };
    if (this.#names.size >= maxStatements) return {};
    const name = `throughline_q${this.#names.size}`;
    this.#names.set(text, name);
    return { name };
  }
}

async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw translate(cause);
  }
}

/** Errors that are not caused by the state of the server are returned unchanged. */
function translate(cause: unknown): unknown {
  const state = stateOf(cause);
  if (state === diskFull) return new DatabaseFullError(cause);
  if (state === undefined || unavailable.test(state)) return new DatabaseUnavailableError(cause);
  return cause;
}

/** The SQLSTATE; undefined if the error did not come from the server, so that there was no answer. */
function stateOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('severity' in cause) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}

async function within<Result>(answer: Promise<Result>, limitMs: number): Promise<Result> {
  if (limitMs === Number.POSITIVE_INFINITY) return answer;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}
