import { Gauge, type Registry } from 'prom-client';

import { type ContextSizes } from '#read-models';

type Probe = () => Promise<ContextSizes | undefined>;

const gauges: Readonly<Record<keyof ContextSizes, readonly [name: string, help: string]>> = {
  contexts: ['throughline_contexts', 'Contexts'],
  events: ['throughline_contexts_events', 'Events of all contexts'],
  bytes: ['throughline_contexts_bytes', 'Bytes of the payloads of all contexts'],
  tokens: ['throughline_contexts_tokens', 'Tokens of all contexts, estimated: characters / 4'],
  nearThreshold: [
    'throughline_contexts_near_token_threshold',
    'Open contexts with at least 80 % of the token threshold of their workspace',
  ],
  overThreshold: [
    'throughline_contexts_over_token_threshold',
    'Open contexts with more tokens than the threshold of their workspace',
  ],
};

/** Gauges of the sizes of contexts, equal in every process of a database; no series if the database does not answer. */
export class ContextMetrics {
  #pending: ReturnType<Probe> | undefined;

  constructor(registry: Registry, probe: Probe) {
    for (const size of Object.keys(gauges) as (keyof ContextSizes)[]) {
      const [name, help] = gauges[size];
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers: [registry],
        collect: async () => {
          const sizes = await this.#query(probe);
          if (sizes) gauge.set(sizes[size]);
          else gauge.remove();
        },
      });
    }
  }

  /** One query for all gauges of a scrape, which are collected at the same time. */
  #query(probe: Probe): ReturnType<Probe> {
    this.#pending ??= probe().finally(() => (this.#pending = undefined));
    return this.#pending;
  }
}
