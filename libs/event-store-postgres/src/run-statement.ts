import { type Pool, type PoolClient, type QueryArrayConfig } from 'pg';

import { StatementFailedError, failureKindOf } from './statement-failure.js';

/**
 * Runs one statement on a connection of the pool and returns its rows as arrays; throws {@link StatementFailedError}. A
 * connection without an answer for `limitMs` is destroyed, since a slow server cannot be distinguished from a dead one.
 * `sending` is called when the statement is sent; nothing can be stored before.
 */
export async function runStatement(
  pool: Pool,
  statement: QueryArrayConfig,
  limitMs: number,
  sending?: () => void,
): Promise<unknown[][]> {
  const client = await checkOut(pool, limitMs);
  // A backend that dies is reported to the statement and to the client; without a listener, the second report would end
  // the process.
  client.on('error', ignoreError);
  let failure: StatementFailedError | undefined;
  try {
    sending?.();
    const { rows } = await limited(client.query<unknown[]>(statement), limitMs);
    return rows;
  } catch (cause) {
    failure = new StatementFailedError(failureKindOf(cause), cause);
    throw failure;
  } finally {
    const isLost = failure?.kind === 'unknown';
    client.release(isLost);
    // A lost connection may report further errors.
    if (!isLost) client.off('error', ignoreError);
  }
}

/** Checks a connection of the pool out within `limitMs`; if it fails, nothing was sent. */
export async function checkOut(pool: Pool, limitMs: number): Promise<PoolClient> {
  const hadIdle = pool.idleCount > 0 && pool.waitingCount === 0;
  const connecting = pool.connect();
  try {
    // An idle connection needs no limit.
    if (hadIdle) return await connecting;
    return await limited(connecting, limitMs);
  } catch (cause) {
    connecting.then(
      (late) => late.release(),
      () => undefined,
    );
    throw new StatementFailedError('not-applied', cause);
  }
}

async function limited<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function ignoreError(): void {
  // The statement, or the next one, reports the error.
}
