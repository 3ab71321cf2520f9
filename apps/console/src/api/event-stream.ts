import { EventSourceParserStream } from 'eventsource-parser/stream';

import { type Query, send } from './client.js';

type StreamMessage = Readonly<{ event: string; data: string; id: string | undefined }>;

/** The id of the last message; undefined at the beginning. */
export type StreamPosition = { lastId: string | undefined };

/** Milliseconds before a stream that has ended is opened again; each further attempt in a row waits twice as long. */
const reconnectMs = { first: 2_000, max: 30_000 };

/**
 * Follows a stream of server-sent events until the signal aborts. A stream that ends is continued after its `position`, which is
 * updated; `reset` starts from the beginning.
 */
export async function followStream(
  path: string,
  {
    query,
    position,
    signal,
  }: Readonly<{ query: Query; position: StreamPosition; signal: AbortSignal }>,
  receive: (message: StreamMessage) => void,
): Promise<void> {
  let waitMs = reconnectMs.first;
  while (!signal.aborted) {
    try {
      const { lastId } = position;
      for await (const message of messagesOf(path, { query, lastId, signal })) {
        waitMs = reconnectMs.first;
        position.lastId = message.event === 'reset' ? undefined : (message.id ?? position.lastId);
        receive(message);
      }
    } catch {
      // A refused or broken stream is opened again; an ended session shows the sign-in.
    }
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, reconnectMs.max);
  }
}

async function* messagesOf(
  path: string,
  {
    query,
    lastId,
    signal,
  }: Readonly<{ query: Query; lastId: string | undefined; signal: AbortSignal }>,
): AsyncGenerator<StreamMessage> {
  const headers = {
    Accept: 'text/event-stream',
    ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
  };
  const { body } = await send(path, { query, headers, signal });
  if (!body) return;
  const messages = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { event = 'message', data, id } of messages) yield { event, data, id };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
