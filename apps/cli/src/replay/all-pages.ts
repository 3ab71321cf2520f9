import { z } from 'zod';

import { type ApiAnswer, type ApiClient, type ApiRequest, parseAnswer } from '../api-client.js';

const page = z.looseObject({ nextCursor: z.string().nullish() });

type Page = Readonly<Record<string, unknown>>;

/** The maximum number of events on a page. */
const limit = 500;

/**
 * Requests all pages of `diff` or `changes` and returns them as one answer. Lists are concatenated; other members come from
 * the first page that has them.
 */
export async function sendForAllPages(api: ApiClient, request: ApiRequest): Promise<ApiAnswer> {
  const pages: Page[] = [];
  let cursor: string | undefined;
  for (;;) {
    const answer = await api.send({ ...request, query: { ...request.query, limit, cursor } });
    const { nextCursor, ...members } = parseAnswer(page, answer);
    pages.push(members);
    if (typeof nextCursor !== 'string')
      return { ...answer, text: JSON.stringify({ ...joinPages(pages), nextCursor: null }) };
    cursor = nextCursor;
  }
}

function joinPages(pages: readonly Page[]): Page {
  const names = new Set(pages.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    Array.from(names, (name) => [
      name,
      joinValues(
        name,
        pages.map((one) => one[name]),
      ),
    ]),
  );
}

function joinValues(name: string, values: readonly unknown[]): unknown {
  if (values.every(Array.isArray)) return values.flat();
  if (name === 'difference') return joinPages(values.filter(isPage));
  return values.find((value) => value !== null && value !== undefined) ?? null;
}

function isPage(value: unknown): value is Page {
  return typeof value === 'object' && value !== null;
}
