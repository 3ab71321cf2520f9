import { type FeedEvent } from './api.js';
import type * as Api from './generated/api-types.js';
import { type HttpClient } from './http-client.js';
import { type LiveOptions, readLive } from './live-stream.js';

export type FeedOptions = LiveOptions &
  Readonly<{
    /** The `cursor` of the last read event, `start` (the default), or `head` for future events only. */
    after?: string | undefined;
  }>;

/** See `Throughline.feed`. */
export async function* readFeed(
  http: HttpClient,
  { after = 'start', ...options }: FeedOptions = {},
): AsyncGenerator<FeedEvent, void, void> {
  const stream = { path: '/v1/stream', after, start: 'start', query: {}, isData: isItem };
  for await (const { id, data } of readLive(http, stream, options)) yield { ...data, cursor: id };
}

function isItem(value: unknown): value is Api.ReadFeedResponse['items'][number] {
  return (
    typeof value === 'object' &&
    value !== null &&
    'contextId' in value &&
    typeof value.contextId === 'string'
  );
}
