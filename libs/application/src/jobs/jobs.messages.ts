import { Command, Query } from '@nestjs/cqrs';

import {
  type DeadLetter,
  type DeadLetterFilter,
  type JobProgress,
  type ProjectionStatus,
} from '#read-models';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';

type RootRequest = Readonly<{ principal: Principal }>;

/** A rebuild and its progress; times are RFC 3339. */
export type JobView = JobProgress &
  Readonly<{
    /** Average since the start; null if unknown. */
    eventsPerSecond: number | null;
    /** Until all events that existed at the start are applied; null if unknown. */
    secondsLeft: number | null;
  }>;

/** The status of every projection. Only the root key may send the messages in this file: they concern the whole server. */
export class ListProjectionsQuery extends Query<Readonly<{ items: readonly ProjectionStatus[] }>> {
  constructor(readonly principal: Principal) {
    super();
  }
}

/** Queues a rebuild, which a projector starts within seconds. */
export class StartRebuildCommand extends Command<JobView> {
  constructor(
    readonly request: RootRequest &
      Readonly<{
        projection: string;
        /** Maximum of events per second. */
        rate?: number | undefined;
        /** Whether every context is compared with the live rows before the switch, instead of a sample. */
        verify: boolean;
      }>,
  ) {
    super();
  }
}

export class FindJobQuery extends Query<JobView> {
  constructor(readonly request: RootRequest & Readonly<{ jobId: string }>) {
    super();
  }
}

/** The jobs, newest first. */
export class ListJobsQuery extends Query<Page<JobView>> {
  constructor(readonly request: RootRequest & PageRequest) {
    super();
  }
}

/** Stops a rebuild before the switch; restores the old rows after it. */
export class CancelJobCommand extends Command<JobView> {
  constructor(readonly request: RootRequest & Readonly<{ jobId: string }>) {
    super();
  }
}

/** Drops the rows that were live before the switch. */
export class ConfirmJobCommand extends Command<JobView> {
  constructor(readonly request: RootRequest & Readonly<{ jobId: string }>) {
    super();
  }
}

/** Dead letters, oldest first. */
export class ListDeadLettersQuery extends Query<Page<DeadLetter>> {
  constructor(readonly request: RootRequest & PageRequest & DeadLetterFilter) {
    super();
  }
}

/** Applies the missed events of the context; returns the dead letter if that fails again. */
export class RetryDeadLetterCommand extends Command<
  Readonly<{ done: true }> | Readonly<{ done: false; deadLetter: DeadLetter }>
> {
  constructor(readonly request: RootRequest & Readonly<{ id: string }>) {
    super();
  }
}
