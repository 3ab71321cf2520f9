import { waitFor } from '#testing';

import { type ThroughlineServer } from '../throughline-server.js';

/** Repeats a request while its list lags, as the pages advise. */
export function patient(server: ThroughlineServer): ThroughlineServer {
  const call: ThroughlineServer['call'] = (...asked) =>
    waitFor('an answer that is not behind', () => server.call(...asked), {
      until: ({ headers }) => Number(headers['x-projection-lag'] ?? 0) === 0,
    });
  // All other members are those of the server.
  return Object.assign(Object.create(server), { call });
}
