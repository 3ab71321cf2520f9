import { type Projector } from '#read-models';

import { waitFor } from './wait-for.js';

/** Applying much takes long beside other work; the limit of a test is 60 s unless it says otherwise. */
const defaultTimeoutMs = 50_000;

/** Resolves once the rows hold everything that the log holds. */
export async function waitForProjector(
  projector: Pick<Projector, 'lag'>,
  timeoutMs = defaultTimeoutMs,
): Promise<void> {
  await waitFor('rows that have caught up with the log', () => projector.lag(), {
    until: (lag) => lag === 0,
    timeoutMs,
  });
}
