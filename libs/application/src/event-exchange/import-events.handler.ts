import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { runInSlices } from '#slices';

import { requireWholeWorkspace } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import { AUDIT_LOG, type AuditLog } from '../tokens.js';
import { ContextRegistry } from '../writing/context-registry.js';
import { ImportAppender } from './import-appender.js';
import { type CheckedPlan, ImportPlanner } from './import-planner.js';
import { type ImportedContext, ImportEventsCommand } from './event-exchange.messages.js';
import { readImport } from './read-import.js';

/**
 * Stores signed events as they were exported, and other events as events of the importer. The whole file is checked
 * before the first event is stored. If a large import is interrupted, the stored events are consistent, and a
 * repetition continues after them.
 */
@CommandHandler(ImportEventsCommand)
export class ImportEventsHandler implements ICommandHandler<ImportEventsCommand> {
  constructor(
    private readonly planner: ImportPlanner,
    private readonly appender: ImportAppender,
    private readonly directory: ContextRegistry,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ request }: ImportEventsCommand): Promise<readonly ImportedContext[]> {
    const { principal, text, as } = request;
    requireWholeWorkspace(principal);
    const groups = await runInSlices(readImport(text));
    const plans = await this.planner.plan(groups, { principal, as });
    for (const plan of plans) await this.#carryOut(plan, principal);
    return plans.map(({ id, version, skipped, events, isSigned }) => ({
      contextId: id.contextId,
      version: version + events.length,
      imported: events.length,
      skipped,
      signed: isSigned,
    }));
  }

  async #carryOut(plan: CheckedPlan, principal: Principal): Promise<void> {
    const { id, events, group, isSigned } = plan;
    const version = await this.appender.append(plan);
    if (events.length > 0)
      this.audit({
        workspace: id.workspace,
        contextId: id.contextId,
        version,
        types: [...new Set(events.map(({ type }) => type))],
        principal: principal.name,
        origin: `${isSigned ? 'signed' : 'unsigned'} import of ${group.workspace}:${group.contextId}`,
      });
    await this.directory.register(id);
  }
}
