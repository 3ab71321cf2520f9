import { type Histogram, type Registry } from 'prom-client';

/** Why the server can or cannot take requests; details name parts, never addresses or secrets. */
export type Readiness = Readonly<{ ready: boolean; checks: Readonly<Record<string, string>> }>;

/** What the process this API runs in tells about itself. */
export abstract class ServerState {
  abstract readonly version: string;
  abstract readonly registry: Registry;
  /** Seconds to answer. */
  abstract readonly requests: Histogram<'method' | 'route' | 'status'>;
  abstract readiness(): Promise<Readiness>;
}
