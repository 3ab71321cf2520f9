import { AccountChangedError, NoAnswerError } from './call-failure.js';
import { type Client } from './client.js';
import { type Connection } from './connection.js';

/** A call in progress: `heard` reports that data arrived, and `left` aborts when the caller no longer waits. */
export type Call = Readonly<{
  client: Client;
  heard: () => void;
  left: AbortSignal;
  /** Whether its connection was closed, so that the data received may be incomplete. */
  isCut: () => boolean;
}>;

/**
 * The answer of one call; the time until its connection is found counts as well. Throws {@link NoAnswerError} after
 * `limitMs` without data, and closes a connection over which no other call received data either. Throws {@link
 * AccountChangedError} if a retry would use another password.
 */
export async function answerWithin<T>(
  connection: Connection,
  limitMs: number,
  ask: (call: Call) => Promise<T>,
): Promise<T> {
  const { client } = connection;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new NoAnswerError()), limitMs);
  const left = new AbortController();
  const heard = (): void => {
    timer.refresh();
    connection.heard(client);
  };
  try {
    const isCut = () => connection.hasEnded(client);
    const call = { client, heard, left: left.signal, isCut };
    const answer = await Promise.race([ask(call), late.promise]);
    connection.answered(client);
    return answer;
  } catch (error) {
    if (connection.failed(client, error, limitMs)) throw new AccountChangedError();
    throw error;
  } finally {
    clearTimeout(timer);
    left.abort('over');
  }
}
