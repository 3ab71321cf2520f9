import { type Histogram, type Registry } from 'prom-client';

import { type Readiness } from '#platform';

/** What the process this API runs in tells about itself. */
export abstract class ServerState {
  abstract readonly version: string;
  abstract readonly registry: Registry;
  /** Seconds to answer. */
  abstract readonly requests: Histogram<'method' | 'route' | 'status'>;
  abstract readiness(): Promise<Readiness>;
}
