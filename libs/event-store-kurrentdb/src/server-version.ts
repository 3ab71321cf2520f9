import { ServerFeatures } from '@eventstore/db-client/dist/Client/ServerFeatures.js';

import { StoreUnavailableError } from '#event-sourcing';

import { type Call } from './answer-within.js';

const lowest = { year: 24, release: 2 } as const;

/** No server of this version can be used, however long somebody waits. */
export class UnsupportedServerError extends StoreUnavailableError {}

/** What the server says of itself, such as `24.10.5`; `unknown` if it is older than that question. */
export async function askServerVersion({ client }: Call): Promise<string> {
  return (await client['execute'](...ServerFeatures.createServerFeatures)).serverVersion;
}

/**
 * Below 24.2 a subscription that goes on from a checkpoint can skip the event behind it, and nothing reports that. Builds
 * that are no release call themselves 0.0.0.
 *
 * Throws {@link UnsupportedServerError}.
 */
export function refuseOldServer(version: string): void {
  const [year = 0, release = 0] = version.split('.').map(Number);
  const isNewEnough = year > lowest.year || (year === lowest.year && release >= lowest.release);
  if (isNewEnough || version.startsWith('0.0.')) return;
  throw new UnsupportedServerError(
    `the server is EventStoreDB ${version}, which can skip events: use ${lowest.year}.${lowest.release} or newer`,
  );
}
