import { type Projector } from '#read-models';

import { waitFor } from './wait-for.js';

/** Applying many events takes long while other work runs; the default limit of a test is 60 s. */
const defaultTimeoutMs = 50_000;

/** Resolves once the rows contain all events of the log. */
export async function waitForProjector(
  projector: Pick<Projector, 'lag'>,
  timeoutMs = defaultTimeoutMs,
): Promise<void> {
  await waitFor('rows that have caught up with the log', () => projector.lag(), {
    until: (lag) => lag === 0,
    timeoutMs,
  });
}
