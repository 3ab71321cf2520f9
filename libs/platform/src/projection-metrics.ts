import { Gauge, type Registry } from 'prom-client';

import { type JobProgress, type ProjectionStatus, type SearchStatus } from '#read-models';

/** Values that are queried from the database on each scrape. */
export type ProjectionReading = Readonly<{
  projections: readonly ProjectionStatus[];
  search: SearchStatus;
  /** Running rebuilds. */
  rebuilds: readonly JobProgress[];
}>;

type Probe = () => Promise<ProjectionReading | undefined>;
type Sample = Readonly<{ labels: Record<string, string>; value: number }>;

const states = ['idle', 'catching-up', 'live', 'stuck'] as const;

/** Gauges of the progress of the read models, equal in every process of a database; no series if the database does not answer. */
export class ProjectionMetrics {
  #pending: Promise<ProjectionReading | undefined> | undefined;

  constructor(
    private readonly registry: Registry,
    private readonly probe: Probe,
  ) {
    this.#gauge(
      'lag_events',
      'Committed events that are not applied to the read models',
      eachProjection(lagEvents),
    );
    this.#gauge(
      'lag_seconds',
      'Age of the oldest event that is not applied',
      eachProjection(({ lagSeconds }) => [{ labels: {}, value: lagSeconds }]),
    );
    this.#gauge(
      'state',
      '1 for the current state of a projection: idle, catching-up, live or stuck',
      eachProjection(({ state }) =>
        states.map((name) => ({ labels: { state: name }, value: Number(name === state) })),
      ),
    );
    this.#gauge(
      'dead_letters',
      'Contexts that are quarantined because an event could not be applied',
      eachProjection(({ deadLetters }) => [{ labels: {}, value: deadLetters }]),
    );
    this.#gauge(
      'rebuild_applied_events',
      'Events that the running rebuild has applied',
      eachRebuild(({ applied }) => applied),
    );
    this.#gauge(
      'rebuild_total_events',
      'Events that the running rebuild had to apply at its start',
      // Unknown for stores whose positions have gaps.
      eachRebuild(({ total }) => total),
    );
    this.#watchSearch();
  }

  #watchSearch(): void {
    this.#searchGauge(
      'lag_events',
      'Applied events that searches do not find yet',
      ({ lagEvents: events }) => events,
    );
    this.#searchGauge(
      'failed_contexts',
      'Contexts whose newer events cannot be searched at present',
      ({ failed }) => failed,
    );
  }

  #searchGauge(name: string, help: string, valueOf: (status: SearchStatus) => number): void {
    const gauge: Gauge = new Gauge({
      name: `throughline_search_${name}`,
      help,
      registers: [this.registry],
      collect: async () => {
        const reading = await this.#query();
        if (reading) gauge.set(valueOf(reading.search));
        else gauge.remove();
      },
    });
  }

  #gauge(name: string, help: string, samplesOf: (reading: ProjectionReading) => Sample[]): void {
    const gauge: Gauge = new Gauge({
      name: `throughline_projection_${name}`,
      help,
      labelNames: ['projection', ...(name === 'state' ? ['state'] : [])],
      registers: [this.registry],
      collect: async () => {
        const reading = await this.#query();
        gauge.reset();
        for (const { labels, value } of reading ? samplesOf(reading) : []) gauge.set(labels, value);
      },
    });
  }

  /** One query for all gauges of a scrape, which are collected at the same time. */
  #query(): Promise<ProjectionReading | undefined> {
    this.#pending ??= this.probe().finally(() => (this.#pending = undefined));
    return this.#pending;
  }
}

function eachProjection(samplesOf: (status: ProjectionStatus) => Sample[]) {
  return ({ projections }: ProjectionReading) =>
    projections.flatMap((status) =>
      samplesOf(status).map(({ labels, value }) => ({
        labels: { projection: status.name, ...labels },
        value,
      })),
    );
}

function eachRebuild(valueOf: (job: JobProgress) => number | null) {
  return ({ rebuilds }: ProjectionReading) =>
    rebuilds.flatMap((job) => {
      const value = valueOf(job);
      return value === null ? [] : [{ labels: { projection: job.projection }, value }];
    });
}

function lagEvents({ lagEvents: events }: ProjectionStatus): Sample[] {
  return events === null ? [] : [{ labels: {}, value: events }];
}
