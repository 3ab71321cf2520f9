import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { type JsonObject } from '#event-sourcing';
import { renderRun } from '#shared-context';
import { everything } from '#visibility';

import { requireWriter } from '../access/authorize.js';
import { reachesWorkflow, requireFullVisibility } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { ForbiddenError, ResourceNotFoundError } from '../errors.js';
import { newId } from '../new-id.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { CompiledWorkflows, type PublishedDefinition } from './compiled-workflows.js';
import { RunWriter } from './run-writer.js';
import { DefaultRecoveries } from './default-recoveries.js';
import { StoreClock } from './store-clock.js';
import { ControlRunCommand, FindRunQuery, StartRunCommand } from './runs.messages.js';

@CommandHandler(StartRunCommand)
export class StartRunHandler implements ICommandHandler<StartRunCommand> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly workflows: CompiledWorkflows,
    private readonly clock: StoreClock,
    private readonly writer: RunWriter,
  ) {}

  async execute({ request, start }: StartRunCommand): Promise<WriteAnswer> {
    const { principal, contextId } = request;
    requireWriter(principal);
    requireFullVisibility(principal);
    await this.contexts.readHead({ principal, contextId });
    const published = await this.#startable(principal, start);
    const { view, workflow } = published;
    const { definitionId, version, hash } = view;
    return this.writer.write(
      request,
      { runId: newId(), workflow, ...(await this.clock.read()) },
      {
        type: 'start',
        definition: { definitionId, version, hash },
        input: start.input,
        by: principal.name,
      },
    );
  }

  async #startable(
    principal: Principal,
    { definitionId, version }: StartRunCommand['start'],
  ): Promise<PublishedDefinition> {
    if (!reachesWorkflow(principal, definitionId))
      throw new ResourceNotFoundError(`there is no workflow "${definitionId}" here`);
    const key = { workspace: principal.workspace, definitionId };
    // The current version decides who may start runs, even of earlier versions.
    const current = await this.workflows.find(key);
    const { isEnabled, visibleTo } = current.workflow;
    if (!isEnabled)
      throw new ForbiddenError(
        `workflow "${definitionId}" is archived: publish it with "enabled": true to start runs of it`,
      );
    if (visibleTo && !principal.isRoot && !visibleTo.includes(principal.name))
      throw new ForbiddenError(
        `workflow "${definitionId}" lists in "visible_to" who may start it, and "${principal.name}" is not listed`,
      );
    return version === undefined ? current : this.workflows.find(key, version);
  }
}

@CommandHandler(ControlRunCommand)
export class ControlRunHandler implements ICommandHandler<ControlRunCommand> {
  constructor(
    private readonly writer: RunWriter,
    private readonly recoveries: DefaultRecoveries,
  ) {}

  async execute({ request, control }: ControlRunCommand): Promise<WriteAnswer> {
    const { principal } = request;
    requireWriter(principal);
    requireFullVisibility(principal);
    const found = await this.writer.find(request);
    const by = principal.name;
    if (control.type !== 'resume') return this.writer.advance(request, found, { ...control, by });
    const usual = await this.recoveries.byAgent(principal.workspace);
    const isPerson = principal.role !== 'agent';
    return this.writer.advance(request, found, { ...control, by, isPerson, usual });
  }
}

@QueryHandler(FindRunQuery)
export class FindRunHandler implements IQueryHandler<FindRunQuery> {
  constructor(private readonly contexts: AuthorizedContextReader) {}

  async execute({ principal, contextId }: FindRunQuery): Promise<JsonObject> {
    const { state } = await this.contexts.read(
      { principal, contextId, audience: everything },
      { kinds: ['run', 'run-step'], bodies: ['run'] },
    );
    const run = renderRun(contextId, [...state.values()], state.lookup);
    if (run === null) throw new ResourceNotFoundError('there is no run in this context: start one');
    // The cast is safe because a rendered run is an object or null.
    return run as JsonObject;
  }
}
