import { z } from 'zod';

import { type ApiClient, parseAnswer } from '../api-client.js';

const page = z.looseObject({
  items: z.array(z.looseObject({ contextId: z.string() })),
  nextCursor: z.string().nullable(),
});

const pageSize = 500;

/** Yields the ids of all contexts that the key reaches, newest first. */
export async function* contextsInReach(api: ApiClient): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const query = { limit: pageSize, cursor };
    const { items, nextCursor } = parseAnswer(page, await api.send({ path: 'contexts', query }));
    for (const { contextId } of items) yield contextId;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
