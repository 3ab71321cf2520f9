import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import {
  type EventStore,
  type EventToAppend,
  VersionConflictError,
  encodedSize,
  maxAppendBytes,
} from '#event-sourcing';
import { contextStream } from '#read-models';
import { runInSlices } from '#slices';

import { requireAdmin } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import { ConcurrencyExhaustedError, ForbiddenError } from '../errors.js';
import { AUDIT_LOG, type AuditLog, EVENT_STORE, WRITER_OPTIONS } from '../tokens.js';
import { ContextDirectory } from '../writing/context-directory.js';
import type { ContextWriterOptions } from '../writing/context-writer.js';
import { checkStorable } from './check-storable.js';
import { invalidLine } from './import.errors.js';
import { type ImportPlan, type ImportTarget, planImport } from './import-plan.js';
import { type ImportedContext, ImportEventsCommand } from './moving.messages.js';
import { type ImportedGroup, readImport } from './read-import.js';

const mostEventsAtOnce = 500;

/**
 * Stores events as they were exported. Everything is checked before the first is stored; what is stored of a large
 * import that breaks off is whole, and repeating the import goes on behind it.
 */
@CommandHandler(ImportEventsCommand)
export class ImportEventsHandler implements ICommandHandler<ImportEventsCommand> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly directory: ContextDirectory,
    @Inject(WRITER_OPTIONS) private readonly options: ContextWriterOptions,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ request }: ImportEventsCommand): Promise<readonly ImportedContext[]> {
    const { principal, text, as } = request;
    authorize(principal);
    const groups = await runInSlices(readImport(text));
    const second = groups.at(1);
    if (as !== undefined && second)
      throw invalidLine(
        second.first.line,
        '/contextId',
        'as names one context, and this is another',
      );
    const plans: ImportPlan[] = [];
    for (const group of groups)
      plans.push(await planImport(this.store, this.#targetOf(group, principal, as), group));
    await checkStorable(this.store, plans);
    for (const plan of plans) await this.#carryOut(plan, principal);
    return plans.map(({ id, version, skipped, events }) => ({
      ...{ contextId: id.contextId, version: version + events.length },
      ...{ imported: events.length, skipped },
    }));
  }

  #targetOf(
    { workspace, contextId, first }: ImportedGroup,
    principal: Principal,
    as: string | undefined,
  ): ImportTarget {
    const id = { workspace: principal.workspace, contextId: as ?? contextId };
    const now = new Date(this.options.now()).toISOString();
    if (as !== undefined) return { id, resealed: { principal: principal.name, now } };
    if (workspace !== principal.workspace)
      throw invalidLine(
        first.line,
        '/workspace',
        `is not ${principal.workspace}, the workspace of this key: name the context to make of it here with as=<contextId>`,
      );
    return { id, resealed: undefined };
  }

  async #carryOut({ id, version, events, group }: ImportPlan, principal: Principal): Promise<void> {
    let at = version;
    for (const batch of batchesOf(events)) {
      await this.#append(contextStream(id), batch, at);
      at += batch.length;
    }
    if (events.length > 0)
      this.audit({
        ...{ workspace: id.workspace, contextId: id.contextId, version: at },
        types: [...new Set(events.map(({ type }) => type))],
        ...{ principal: principal.name, origin: `import of ${group.workspace}:${group.contextId}` },
      });
    await this.directory.register(id);
  }

  async #append(stream: string, batch: readonly EventToAppend[], at: number): Promise<void> {
    const { appendTimeoutMs: timeoutMs, events } = this.options;
    try {
      await this.store.append(stream, batch, at === 0 ? 'no-stream' : at, { timeoutMs });
      events?.appended?.({ writes: 1, events: batch.length });
    } catch (error) {
      if (error instanceof VersionConflictError)
        throw new ConcurrencyExhaustedError(
          'somebody else wrote to this context while it was imported: repeat the import',
          { cause: error },
        );
      throw error;
    }
  }
}

/** It forges nothing, but claims what others have written. */
function authorize(principal: Principal): void {
  requireAdmin(principal);
  if (principal.contexts !== null || principal.workflows !== null)
    throw new ForbiddenError('a key limited to contexts or workflows imports nothing');
}

function batchesOf(events: readonly EventToAppend[]): EventToAppend[][] {
  const batches: EventToAppend[][] = [];
  let bytes = Infinity;
  for (const event of events) {
    const batch = batches.at(-1);
    bytes += encodedSize(event);
    if (batch && bytes <= maxAppendBytes && batch.length < mostEventsAtOnce) batch.push(event);
    else {
      batches.push([event]);
      bytes = encodedSize(event);
    }
  }
  return batches;
}
