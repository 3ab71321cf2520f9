import { AccountChangedError, NoAnswerError } from './call-failure.js';
import { type Client } from './client.js';
import { type Connection } from './connection.js';

/** A call under way: it says when something arrives, and ends when nobody waits for it any more. */
export type Call = Readonly<{
  client: Client;
  heard: () => void;
  left: AbortSignal;
  /** Its connection was given up: what it has received so far need not be all. */
  isCut: () => boolean;
}>;

/**
 * The answer of one call, however long its connection takes to be found. Throws {@link NoAnswerError} after `limitMs`
 * without a word, and gives up a connection over which nothing else was heard either; {@link AccountChangedError} if
 * another try goes with another password.
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
