import { Command, Query } from '@nestjs/cqrs';

import { type DeadLetter, type JobProgress, type ProjectionStatus } from '#read-models';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';

type AsRoot = Readonly<{ principal: Principal }>;

/** A rebuild, and how it gets on; times are RFC 3339. */
export type JobView = JobProgress &
  Readonly<{
    /** On average since it began; null if nothing can be said. */
    eventsPerSecond: number | null;
    /** Until everything that was there is applied; null if nothing can be said. */
    secondsLeft: number | null;
  }>;

/** Every projection and where it stands; server-wide, so for root only, like everything here. */
export class ListProjectionsQuery extends Query<Readonly<{ items: readonly ProjectionStatus[] }>> {
  constructor(readonly principal: Principal) {
    super();
  }
}

/** Queues a rebuild, which a projector takes up within seconds. */
export class StartRebuildCommand extends Command<JobView> {
  constructor(
    readonly request: AsRoot &
      Readonly<{
        projection: string;
        /** Events a second at most. */
        rate?: number | undefined;
        /** Whether every context is compared with the live rows before the switch, or only some. */
        verify: boolean;
      }>,
  ) {
    super();
  }
}

export class FindJobQuery extends Query<JobView> {
  constructor(readonly request: AsRoot & Readonly<{ jobId: string }>) {
    super();
  }
}

/** Newest first. */
export class ListJobsQuery extends Query<Page<JobView>> {
  constructor(readonly request: AsRoot & PageRequest) {
    super();
  }
}

/** Before the switch it stops; after it the old rows are put back. */
export class CancelJobCommand extends Command<JobView> {
  constructor(readonly request: AsRoot & Readonly<{ jobId: string }>) {
    super();
  }
}

/** Gives up the rows that were live before the switch. */
export class ConfirmJobCommand extends Command<JobView> {
  constructor(readonly request: AsRoot & Readonly<{ jobId: string }>) {
    super();
  }
}

/** Contexts that were set aside, oldest first. */
export class ListDeadLettersQuery extends Query<Page<DeadLetter>> {
  constructor(readonly request: AsRoot & PageRequest) {
    super();
  }
}

/** Applies what the context has missed, or says why that fails again. */
export class RetryDeadLetterCommand extends Command<
  Readonly<{ done: true }> | Readonly<{ done: false; deadLetter: DeadLetter }>
> {
  constructor(readonly request: AsRoot & Readonly<{ id: string }>) {
    super();
  }
}
