import { type Projector } from '#read-models';

import { waitFor } from './wait-for.js';

/** Resolves once the rows hold everything that the log holds. */
export async function waitForProjector(projector: Pick<Projector, 'lag'>): Promise<void> {
  await waitFor('rows that have caught up with the log', () => projector.lag(), {
    until: (lag) => lag === 0,
  });
}
