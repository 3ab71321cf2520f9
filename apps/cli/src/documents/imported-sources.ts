import { z } from 'zod';

import { type ApiClient, parseAnswer, path } from '../api-client.js';
import { pageOf } from '../paging.js';
import { ProblemError } from '../problem.js';

const page = pageOf(
  z.looseObject({
    data: z.looseObject({
      format: z.string(),
      name: z.string(),
      sha256: z.string(),
      part: z.number(),
      parts: z.number(),
    }),
  }),
);

/** Events per page; each contains up to 256 KiB of text. */
const limit = 20;

/** Returns the hashes of the imported texts of a context with this name, in import order; none if there is no such context. */
export async function findImportedSources(
  api: ApiClient,
  contextId: string,
  source: Readonly<{ format: string; name: string }>,
): Promise<readonly string[]> {
  const hashes: string[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await readPage(api, contextId, cursor);
    for (const { data } of items) {
      const isWhole = data.part === data.parts;
      if (data.format === source.format && data.name === source.name && isWhole)
        hashes.push(data.sha256);
    }
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return hashes;
}

async function readPage(api: ApiClient, contextId: string, cursor: string | undefined) {
  const query = { types: 'SourceImported', limit, cursor };
  try {
    return parseAnswer(page, await api.send({ path: path`contexts/${contextId}/events`, query }));
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'context-not-found')
      return { items: [], nextCursor: null };
    throw error;
  }
}
