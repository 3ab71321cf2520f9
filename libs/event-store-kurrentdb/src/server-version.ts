import { ServerFeatures } from '@eventstore/db-client/dist/Client/ServerFeatures.js';

import { StoreUnavailableError } from '#event-sourcing';

import { type Call } from './answer-within.js';

const lowest = { year: 24, release: 2 } as const;

/** A server of this version cannot be used, so that waiting does not help. */
export class UnsupportedServerError extends StoreUnavailableError {}

/** The version that the server reports, such as `24.10.5`; `unknown` if the server does not support the query. */
export async function askServerVersion({ client }: Call): Promise<string> {
  return (await client['execute'](...ServerFeatures.createServerFeatures)).serverVersion;
}

/**
 * Before 24.2, a subscription that resumes from a checkpoint can skip the next event, which nothing reports. Builds
 * that are not releases have the version 0.0.0. Throws {@link UnsupportedServerError}.
 */
export function refuseOldServer(version: string): void {
  const [year = 0, release = 0] = version.split('.').map(Number);
  const isNewEnough = year > lowest.year || (year === lowest.year && release >= lowest.release);
  if (isNewEnough || version.startsWith('0.0.')) return;
  throw new UnsupportedServerError(
    `the server is EventStoreDB ${version}, which can skip events: use ${lowest.year}.${lowest.release} or newer`,
  );
}
