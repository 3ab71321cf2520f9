import { Command, Query } from '@nestjs/cqrs';

import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type RunStatus } from '#shared-context';
import { type Envelope } from '#workflow';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { type RunRequest } from './run-writer.js';

/** Starts a run of a published definition in a context. */
export class StartRunCommand extends Command<WriteAnswer> {
  constructor(
    readonly request: RunRequest,
    readonly start: Readonly<{
      definitionId: string;
      version?: number | undefined;
      input: JsonValue;
    }>,
  ) {
    super();
  }
}

/** `graceMs`: the time that running attempts have to end after the cancellation. */
export type RunControl =
  | Readonly<{ type: 'pause'; reason?: string | undefined }>
  | Readonly<{ type: 'resume' }>
  | Readonly<{ type: 'cancel'; reason?: string | undefined; graceMs: number }>;

export class ControlRunCommand extends Command<WriteAnswer> {
  constructor(
    readonly request: RunRequest,
    readonly control: RunControl,
  ) {
    super();
  }
}

/** The decision of a person about an approval. */
type ApprovalVerdict = Readonly<{
  decision: 'approved' | 'rejected';
  comment?: string | undefined;
}>;

export class DecideApprovalCommand extends Command<WriteAnswer> {
  constructor(
    readonly request: Omit<RunRequest, 'contextId'>,
    readonly approvalId: string,
    readonly verdict: ApprovalVerdict,
  ) {
    super();
  }
}

/** The decision of a person about an attempt in doubt: it is unknown whether the attempt took effect. */
type DoubtAnswer = Readonly<{
  action: 'retry' | 'skip' | 'output' | 'fail';
  output?: JsonValue | undefined;
  comment?: string | undefined;
}>;

export class AnswerDoubtCommand extends Command<WriteAnswer> {
  constructor(
    readonly request: Omit<RunRequest, 'contextId'>,
    readonly approvalId: string,
    readonly answer: DoubtAnswer,
  ) {
    super();
  }
}

/**
 * Lists the open approvals and attempts in doubt, the oldest first: in all contexts that the key reaches, or in one of
 * them.
 */
export class ListApprovalsQuery extends Query<
  Readonly<{
    page: Page<JsonObject>;
    /** The number of events that the rows lag. */ lag: number | null;
  }>
> {
  constructor(
    readonly principal: Principal,
    readonly page: PageRequest,
    readonly contextId?: string | undefined,
  ) {
    super();
  }
}

/** Lists the newest run of each context; runs that need attention come first. */
export class ListRunsQuery extends Query<
  Readonly<{
    page: Page<JsonObject>;
    /** The number of events that the rows lag. */ lag: number | null;
  }>
> {
  constructor(
    readonly principal: Principal,
    readonly page: PageRequest,
    readonly filter: Readonly<{
      status?: readonly RunStatus[] | undefined;
      definitionId?: string | undefined;
    }>,
  ) {
    super();
  }
}

/** Finds the newest run of a context, with the data of its results. */
export class FindRunQuery extends Query<JsonObject> {
  constructor(
    readonly principal: Principal,
    readonly contextId: string,
  ) {
    super();
  }
}

/**
 * An attempt that was started for a worker, which reports with the token. `timeoutMs`: the time until the deadline.
 * `deadline`: on the clock of the database.
 */
export type ClaimedWork = Envelope &
  Readonly<{ agent: string; attemptToken: string; deadline: string; timeoutMs: number }>;

/** Starts the attempt that has waited longest for one of these agents; undefined if none waits. */
export class ClaimWorkCommand extends Command<ClaimedWork | undefined> {
  constructor(
    readonly principal: Principal,
    readonly agents: readonly string[],
    /**
     * `seconds`: the longest time to wait if no attempt can be started at once. `leaseMs`: the default is configured.
     */
    readonly options: Readonly<{
      seconds?: number;
      signal?: AbortSignal;
      leaseMs?: number;
    }> = {},
  ) {
    super();
  }
}

/**
 * `leaseUntil`: until when the worker counts as alive. `cancelRequested`: whether the run is being cancelled, so that the
 * work should stop.
 */
export type LeaseView = Readonly<{
  leaseUntil: string;
  deadline: string | null;
  cancelRequested: boolean;
}>;

/** Reports that the worker of an attempt is alive. */
export class HeartbeatCommand extends Command<LeaseView> {
  constructor(
    readonly principal: Principal,
    readonly attemptToken: string,
    readonly leaseMs?: number,
  ) {
    super();
  }
}

export type WorkReport =
  | Readonly<{ type: 'complete'; output: JsonValue }>
  | Readonly<{
      type: 'fail';
      reason: string;
      code?: string | undefined;
      retryable: boolean;
      retryAfterMs?: number | undefined;
      output?: JsonValue | undefined;
    }>;

/** Reports how an attempt has ended. */
export class ReportWorkCommand extends Command<WriteAnswer> {
  constructor(
    readonly request: Omit<RunRequest, 'contextId'>,
    readonly attemptToken: string,
    readonly report: WorkReport,
  ) {
    super();
  }
}
