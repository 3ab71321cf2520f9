import { type ApiClient, type ApiRequest } from '../api-client.js';
import { sendForAllPages } from './all-pages.js';

/** A server that returns these pages and records the queries. */
function serverOf(...pages: readonly object[]) {
  const queries: ApiRequest['query'][] = [];
  const api: ApiClient = {
    send: (request) => {
      queries.push(request.query);
      const text = JSON.stringify(pages[queries.length - 1]);
      const answer = { status: 200, text, version: '"9"', receipt: null, headers: {} };
      return Promise.resolve(answer);
    },
    read: () => {
      throw new Error('unexpected request');
    },
  };
  return { api, queries };
}

const request = { path: 'contexts/c/diff', query: { from: 1 } };

describe('all pages of an answer', () => {
  it('are joined to one answer with the lists of all pages', async () => {
    const { api, queries } = serverOf(
      { from: 1, to: 9, made: [1, 2], life: null, state: { a: 1 }, nextCursor: 'x' },
      { from: 1, to: 9, made: [3], life: { before: {} }, state: null, nextCursor: null },
    );
    const { text, version } = await sendForAllPages(api, request);
    expect(JSON.parse(text)).toEqual({
      from: 1,
      to: 9,
      made: [1, 2, 3],
      life: { before: {} },
      state: { a: 1 },
      nextCursor: null,
    });
    expect(version).toBe('"9"');
    expect(queries).toEqual([
      { from: 1, limit: 500, cursor: undefined },
      { from: 1, limit: 500, cursor: 'x' },
    ]);
  });

  it('are joined to one difference', async () => {
    const { api } = serverOf(
      { items: [1], difference: { made: [1], created: { title: 't' } }, nextCursor: 'x' },
      { items: [], difference: { made: [2], created: null, cut: true }, nextCursor: null },
    );
    expect(JSON.parse((await sendForAllPages(api, request)).text)).toEqual({
      items: [1],
      difference: { made: [1, 2], created: { title: 't' }, cut: true },
      nextCursor: null,
    });
  });
});
