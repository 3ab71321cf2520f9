import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import { type ContextSizes } from '#read-models';

import { ContextMetrics } from './context-metrics.js';
import { ProjectionMetrics, type ProjectionReading } from './projection-metrics.js';

/** The metrics of a server; each server has its own registry, so that two servers in a process do not mix. */
export class Metrics {
  readonly registry = new Registry();
  readonly appendedEvents = this.#counter(
    'throughline_appended_events_total',
    'Events stored by this process',
  );
  readonly appendRounds = this.#counter(
    'throughline_append_rounds_total',
    'Appends that stored events of this process',
  );
  readonly racedRounds = this.#counter(
    'throughline_raced_rounds_total',
    'Appends that lost a race to another process and were repeated',
  );
  readonly projectedEvents = this.#counter(
    'throughline_projected_events_total',
    'Events applied to the read models by this process',
  );
  readonly projectorFailures = this.#counter(
    'throughline_projector_failures_total',
    'Batches that the projector had to retry',
  );
  readonly quarantinedContexts = this.#counter(
    'throughline_parked_contexts_total',
    'Contexts quarantined because an event could not be applied',
  );
  readonly summaries = new Counter({
    name: 'throughline_summaries_total',
    help: 'Summaries that a model wrote for this process (ok), and failed attempts (failed)',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly summaryTokens = new Counter({
    name: 'throughline_summary_tokens_total',
    help: 'Tokens of summaries, as counted by their models: read (input) and written (output)',
    labelNames: ['direction'] as const,
    registers: [this.registry],
  });
  readonly ownedPartitions = new Gauge({
    name: 'throughline_partitions_owned',
    help: 'Partitions of the read models that this process updates',
    registers: [this.registry],
  });
  readonly openStreams = new Gauge({
    name: 'throughline_streams_open',
    help: 'Live streams that this process has open',
    registers: [this.registry],
  });
  readonly workerRequests = new Counter({
    name: 'throughline_worker_requests_total',
    help: 'Requests for large contexts that a worker answered, that were refused, or whose worker was lost',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly requests = new Histogram({
    name: 'throughline_http_request_seconds',
    help: 'Time to answer, by method, route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const outcome of ['answered', 'refused', 'lost']) this.workerRequests.inc({ outcome }, 0);
    for (const outcome of ['ok', 'failed']) this.summaries.inc({ outcome }, 0);
    for (const direction of ['input', 'output']) this.summaryTokens.inc({ direction }, 0);
  }

  /** `probe` is called when the metrics are read. */
  watchProjections(probe: () => Promise<ProjectionReading | undefined>): void {
    new ProjectionMetrics(this.registry, probe);
  }

  /** `probe` is called when the metrics are read. */
  watchContexts(probe: () => Promise<ContextSizes | undefined>): void {
    new ContextMetrics(this.registry, probe);
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] });
  }
}
