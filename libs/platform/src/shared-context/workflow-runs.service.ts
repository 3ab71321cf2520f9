import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';

import {
  ControlRunCommand,
  DecideApprovalCommand,
  FindRunQuery,
  type Principal,
  PublishWorkflowCommand,
  ResourceNotFoundError,
  type RunControl,
  StartRunCommand,
  type WorkflowView,
  type WriteAnswer,
} from '#application';
import { type JsonObject, type JsonValue } from '#event-sourcing';

import { InProcessWriter } from './in-process-writer.js';
import { IN_PROCESS_PRINCIPAL } from './shared-context.service.js';
import { type WriteOptions } from './shared-context.options.js';

type RunOptions = Omit<WriteOptions, 'ifMatch' | 'visibility'>;

/** Workflows and their runs inside a Nest application, with the same rules as over HTTP. */
@Injectable()
export class WorkflowRunsService {
  readonly #writer: InProcessWriter;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(IN_PROCESS_PRINCIPAL) private readonly principal: Principal,
  ) {
    this.#writer = new InProcessWriter(commands, principal);
  }

  /** Publishes a definition, as text or as JSON, for new runs. */
  async publish(definition: string | JsonObject): Promise<WorkflowView> {
    const source = typeof definition === 'string' ? definition : JSON.stringify(definition);
    const command = new PublishWorkflowCommand(this.principal, source);
    return (await this.commands.execute(command)).view;
  }

  /** Starts a run of the current version, or of `version`; the answer has its `runId` in `made`. */
  start(
    contextId: string,
    definitionId: string,
    {
      version,
      input = null,
      ...options
    }: RunOptions & Readonly<{ version?: number; input?: JsonValue }> = {},
  ): Promise<WriteAnswer> {
    const start = { definitionId, version, input };
    const request = this.#writer.request(contextId, options, start);
    return this.commands.execute(new StartRunCommand(request, start));
  }

  /** The state of the newest run of a context; null if it has none. */
  async get(contextId: string): Promise<JsonObject | null> {
    try {
      return await this.queries.execute(new FindRunQuery(this.principal, contextId));
    } catch (error) {
      if (error instanceof ResourceNotFoundError) return null;
      throw error;
    }
  }

  control(contextId: string, control: RunControl, options: RunOptions = {}): Promise<WriteAnswer> {
    const request = this.#writer.request(contextId, options, control);
    return this.commands.execute(new ControlRunCommand(request, control));
  }

  /** Decides an approval as the application; refused if the application itself reported the work. */
  decide(
    approvalId: string,
    decision: 'approved' | 'rejected',
    { comment, ...options }: RunOptions & Readonly<{ comment?: string }> = {},
  ): Promise<WriteAnswer> {
    const verdict = { decision, comment };
    const request = this.#writer.request(approvalId, options, verdict);
    return this.commands.execute(new DecideApprovalCommand(request, approvalId, verdict));
  }
}
