import { type ServerResponse } from 'node:http';

/** Aborts when the client goes before it is answered in full; at once where it has gone already. */
export function clientSignal(response: ServerResponse): AbortSignal {
  if (response.destroyed || response.socket?.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
