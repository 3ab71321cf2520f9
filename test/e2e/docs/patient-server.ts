import { waitFor } from '#testing';

import { type ThroughlineServer } from '../throughline-server.js';

/** Asks again while a list says that it is behind, as the pages say to. */
export function patient(server: ThroughlineServer): ThroughlineServer {
  const call: ThroughlineServer['call'] = (...asked) =>
    waitFor('an answer that is not behind', () => server.call(...asked), {
      until: ({ headers }) => Number(headers['x-projection-lag'] ?? 0) === 0,
    });
  // The rest of it is the server's own.
  return Object.assign(Object.create(server), { call });
}
