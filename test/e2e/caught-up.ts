import { waitFor } from '#testing';

import { type Reply, type ThroughlineServer } from './throughline-server.js';

/**
 * The answer of a list, a search or an inbox once it says that it lacks nothing that was written: these read rows that
 * may lag. A refusal is an answer too.
 */
export function currentAnswer(ask: () => Promise<Reply>): Promise<Reply> {
  return waitFor('an answer with X-Projection-Lag: 0', ask, {
    until: ({ status, headers }) => status !== 200 || headers['x-projection-lag'] === '0',
  });
}

/** Resolves once the rows behind lists hold everything that was written. */
export async function caughtUp(server: ThroughlineServer): Promise<void> {
  const { status } = await currentAnswer(() => server.get('/v1/contexts?limit=1'));
  expect(status).toBe(200);
}
