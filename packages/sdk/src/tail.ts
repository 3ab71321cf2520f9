import { type StoredEvent } from './api.js';
import { type Endpoints } from './endpoints.js';
import { type LiveOptions, readLive } from './live-stream.js';

export type TailOptions = LiveOptions &
  Readonly<{
    /** A version: only events behind it; 0 by default. */
    after?: number | undefined;
    audience?: string | undefined;
  }>;

/** See `Context.tail`. */
export async function* tailContext(
  { http, base }: Endpoints,
  { after = 0, audience, ...options }: TailOptions = {},
): AsyncGenerator<StoredEvent, void, void> {
  const stream = { path: `${base}/stream`, after: String(after), start: '0', query: { audience } };
  for await (const { data } of readLive<StoredEvent>(http, stream, options)) yield data;
}
