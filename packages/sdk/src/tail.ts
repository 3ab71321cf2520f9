import { type StoredEvent, type TailEvent } from './api.js';
import { type Endpoints } from './endpoints.js';
import { type LiveOptions, readLive } from './live-stream.js';

export type TailOptions = LiveOptions &
  Readonly<{
    /**
     * Only events after this one: its `cursor`, or its version. With a version, a later restore of the store or change of the
     * audience is not detected. 0 by default.
     */
    after?: number | string | undefined;
    audience?: string | undefined;
  }>;

/** See `Context.tail`. */
export async function* tailContext(
  { http, base }: Endpoints,
  { after = 0, audience, ...options }: TailOptions = {},
): AsyncGenerator<TailEvent, void, void> {
  const from = typeof after === 'string' ? { id: after, after: '0' } : { after: String(after) };
  const stream = {
    path: `${base}/stream`,
    start: '0',
    query: { audience },
    isData: isEvent,
    ...from,
  };
  for await (const { id, data } of readLive(http, stream, options)) yield { ...data, cursor: id };
}

/** Checks the members that distinguish an event from other objects. */
function isEvent(value: unknown): value is StoredEvent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'version' in value &&
    typeof value.version === 'number'
  );
}
