import { type Histogram, type Registry } from 'prom-client';

import { type Readiness } from '#platform';

/** Version, metrics and readiness of the process that runs the API. */
export abstract class ServerState {
  abstract readonly version: string;
  abstract readonly registry: Registry;
  /** Durations of requests in seconds. */
  abstract readonly requests: Histogram<'method' | 'route' | 'status'>;
  abstract readiness(): Promise<Readiness>;
}
