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
    'Open contexts with 80 % or more of the tokens that their workspace has as its threshold',
  ],
  overThreshold: [
    'throughline_contexts_over_token_threshold',
    'Open contexts with more tokens than their workspace has as its threshold',
  ],
};

/** Gauges of how large contexts are, the same from every process on a database; no series where it does not answer. */
export class ContextMetrics {
  #asked: ReturnType<Probe> | undefined;

  constructor(registry: Registry, probe: Probe) {
    for (const size of Object.keys(gauges) as (keyof ContextSizes)[]) {
      const [name, help] = gauges[size];
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers: [registry],
        collect: async () => {
          const sizes = await this.#ask(probe);
          if (sizes) gauge.set(sizes[size]);
          else gauge.remove();
        },
      });
    }
  }

  /** One look for all gauges of a scrape, which are collected at the same time. */
  #ask(probe: Probe): ReturnType<Probe> {
    this.#asked ??= probe().finally(() => (this.#asked = undefined));
    return this.#asked;
  }
}
