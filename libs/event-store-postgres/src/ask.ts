import { type Pool, type PoolClient, type QueryArrayConfig } from 'pg';

import { StatementFailedError, failureKindOf } from './statement-failure.js';

/**
 * Runs one statement on a connection of the pool and gives its rows as arrays; throws
 * {@link StatementFailedError}. A connection that stays silent for `limitMs` is destroyed, for nothing tells a
 * slow server from a dead one. `sending` is called when the statement leaves: before that nothing can be stored.
 */
export async function ask(
  pool: Pool,
  statement: QueryArrayConfig,
  limitMs: number,
  sending?: () => void,
): Promise<unknown[][]> {
  const client = await checkOut(pool, limitMs);
  // A backend that dies says so twice, to the statement and to the client; unheard, the second ends the process.
  client.on('error', heard);
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
    // A lost one may have more to say on its way out.
    if (!isLost) client.off('error', heard);
  }
}

/** A connection of the pool within `limitMs`; nothing was sent where it fails. */
export async function checkOut(pool: Pool, limitMs: number): Promise<PoolClient> {
  const hadIdle = pool.idleCount > 0 && pool.waitingCount === 0;
  const connecting = pool.connect();
  try {
    // A connection that stands ready needs no limit.
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

function heard(): void {
  // The statement or the next one reports it.
}
