import { Inject } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { v7, validate } from 'uuid';

import { type Database } from '#database';
import {
  type JobProgress,
  JobStateError,
  type RebuildJob,
  RebuildUnderWayError,
  cancelJob,
  confirmJob,
  findProgress,
  listJobs,
  sharedContextProjection,
  startRebuild,
} from '#read-models';

import { requireRoot } from '../access/authorize.js';
import { ResourceNotFoundError, RunStateError } from '../errors.js';
import { encodeCursor } from '../paging/cursor.js';
import { AUDIT_LOG, type AuditLog, JOB_DATABASE } from '../tokens.js';
import { toJobView } from './job-view.js';
import {
  CancelJobCommand,
  ConfirmJobCommand,
  FindJobQuery,
  type JobView,
  ListJobsQuery,
  StartRebuildCommand,
} from './jobs.messages.js';
import { decodeJobCursor } from './job-cursor.js';

@CommandHandler(StartRebuildCommand)
export class StartRebuildHandler implements ICommandHandler<StartRebuildCommand> {
  constructor(
    @Inject(JOB_DATABASE) private readonly db: Kysely<Database>,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ request }: StartRebuildCommand): Promise<JobView> {
    const { principal, projection, rate, verify } = request;
    requireRoot(principal);
    if (projection !== sharedContextProjection)
      throw new ResourceNotFoundError(`there is no projection "${projection}"`);
    const { name: requestedBy, workspace } = principal;
    const options = { projection, rate, requestedBy, verify: verify ? 'all' : 'sample' } as const;
    const job = await asRunStateErrors(() => startRebuild(this.db, v7(), options));
    this.audit({ workspace, types: ['RebuildRequested'], principal: requestedBy });
    return toJobView({ ...job, applied: 0 }, Date.now());
  }
}

@QueryHandler(FindJobQuery)
export class FindJobHandler implements IQueryHandler<FindJobQuery> {
  constructor(@Inject(JOB_DATABASE) private readonly db: Kysely<Database>) {}

  async execute({ request: { principal, jobId } }: FindJobQuery): Promise<JobView> {
    requireRoot(principal);
    return findJobView(this.db, jobId);
  }
}

@QueryHandler(ListJobsQuery)
export class ListJobsHandler implements IQueryHandler<ListJobsQuery> {
  constructor(@Inject(JOB_DATABASE) private readonly db: Kysely<Database>) {}

  async execute({ request: { principal, cursor, limit } }: ListJobsQuery) {
    requireRoot(principal);
    const position = decodeJobCursor(cursor);
    const after = position && { createdAt: position.time, jobId: position.id };
    const found = await listJobs(this.db, limit + 1, after);
    const jobs = found.slice(0, limit);
    const last = jobs.at(-1);
    const nextCursor =
      found.length > limit && last ? encodeCursor([last.createdAt, last.jobId]) : null;
    const progress = await Promise.all(jobs.map((job) => this.#progressOf(job)));
    return { items: progress.map((job) => toJobView(job, Date.now())), nextCursor };
  }

  /** Queries the progress of the running job only; there is at most one. */
  async #progressOf(job: RebuildJob): Promise<JobProgress> {
    const finished = job.endedAt !== null || job.switchedAt !== null;
    const progress = finished ? undefined : await findProgress(this.db, job.jobId);
    return progress ?? { ...job, applied: job.switchedAt === null ? 0 : (job.total ?? 0) };
  }
}

@CommandHandler(CancelJobCommand)
export class CancelJobHandler implements ICommandHandler<CancelJobCommand> {
  constructor(
    @Inject(JOB_DATABASE) private readonly db: Kysely<Database>,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ request: { principal, jobId } }: CancelJobCommand): Promise<JobView> {
    requireRoot(principal);
    await findJobView(this.db, jobId);
    await asRunStateErrors(() => cancelJob(this.db, jobId));
    const { workspace, name } = principal;
    this.audit({ workspace, types: ['RebuildCancelled'], principal: name });
    return findJobView(this.db, jobId);
  }
}

@CommandHandler(ConfirmJobCommand)
export class ConfirmJobHandler implements ICommandHandler<ConfirmJobCommand> {
  constructor(
    @Inject(JOB_DATABASE) private readonly db: Kysely<Database>,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ request: { principal, jobId } }: ConfirmJobCommand): Promise<JobView> {
    requireRoot(principal);
    await findJobView(this.db, jobId);
    await asRunStateErrors(() => confirmJob(this.db, jobId));
    const { workspace, name } = principal;
    this.audit({ workspace, types: ['RebuildConfirmed'], principal: name });
    return findJobView(this.db, jobId);
  }
}

async function findJobView(db: Kysely<Database>, jobId: string): Promise<JobView> {
  const job = validate(jobId) ? await findProgress(db, jobId) : undefined;
  if (!job) throw new ResourceNotFoundError(`there is no job "${jobId}"`);
  return toJobView(job, Date.now());
}

async function asRunStateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RebuildUnderWayError)
      throw new RunStateError(error.message, { details: { jobId: error.jobId } });
    if (error instanceof JobStateError) throw new RunStateError(error.message);
    throw error;
  }
}
