import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type z } from 'zod';

import {
  CloseContextCommand,
  CompareContextQuery,
  FindContextQuery,
  FindStepOutputQuery,
  ListEventsQuery,
  type Page,
  type Principal,
  ReplaceDocumentCommand,
  type StillOpen,
  type WriteAnswer,
  newId,
} from '#application';
import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type ClientEvent, type ClientPayload, ContextNotFoundError } from '#shared-context';

import { InProcessWriter } from './in-process-writer.js';
import {
  type ComparisonRange,
  type ReadOptions,
  type WriteOptions,
} from './shared-context.options.js';
import { type CreationInput, commandOf, readCreation } from './in-process-input.js';

export const IN_PROCESS_PRINCIPAL = Symbol('IN_PROCESS_PRINCIPAL');

/**
 * Shared contexts inside a Nest application, with the same rules, conflicts and guarantees as over HTTP. Errors are those of the
 * domain, with the `code` of the HTTP contract.
 */
@Injectable()
export class SharedContextService {
  readonly #writer: InProcessWriter;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(IN_PROCESS_PRINCIPAL) private readonly principal: Principal,
  ) {
    this.#writer = new InProcessWriter(commands, principal);
  }

  /** A service that writes and reads only as this agent. */
  asAgent(agentId: string): SharedContextService {
    const own = { name: agentId, agentId, role: 'agent', actsFor: [] } as const;
    return new SharedContextService(this.commands, this.queries, { ...this.principal, ...own });
  }

  /** A service that reads only for these audiences; the first is the default. */
  forAudience(...audiences: readonly [string, ...string[]]): SharedContextService {
    return new SharedContextService(this.commands, this.queries, { ...this.principal, audiences });
  }

  /** The whole document, or null if there is no such context. */
  async getContext(contextId: string, options: ReadOptions = {}): Promise<JsonObject | null> {
    try {
      const query = new FindContextQuery({ ...this.#of(contextId), ...options });
      return (await this.queries.execute(query)).document;
    } catch (error) {
      if (error instanceof ContextNotFoundError) return null;
      throw error;
    }
  }

  /**
   * The latest output of a step, or null if it has none. A `schema` parses and types the output; without one it is JSON.
   * `waitSeconds` (at most 60) waits for the first output.
   */
  async getStepOutput<Output = JsonValue>(
    contextId: string,
    stepId: string,
    options: ReadOptions & Readonly<{ schema?: z.ZodType<Output>; waitSeconds?: number }> = {},
  ): Promise<Output | null> {
    const { schema, ...rest } = options;
    const query = new FindStepOutputQuery({ ...this.#of(contextId), stepId, ...rest });
    const { output } = await this.queries.execute(query);
    if (!output) return null;
    // Without a schema, the type is the assertion of the caller, as with JSON.parse.
    return schema ? schema.parse(output['output']) : (output['output'] as Output);
  }

  /** Creates a context; `contextId` is a new UUIDv7 by default. */
  async createContext(
    creation: CreationInput & Readonly<{ contextId?: string }> = {},
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    const { contextId = newId(), ...members } = creation;
    const data = readCreation(contextId, members);
    return this.#writer.write(
      contextId,
      [{ type: 'CreateContext', data, visibility: options.visibility }],
      options,
      { contextId, stated: members },
    );
  }

  addStepOutput(
    contextId: string,
    stepId: string,
    output: JsonValue,
    options: WriteOptions & Readonly<{ name?: string; artifactIds?: string[] }> = {},
  ): Promise<WriteAnswer> {
    const { name, artifactIds, ...rest } = options;
    return this.#writer.event(
      contextId,
      'StepOutputAdded',
      { stepId, output, name, artifactIds },
      rest,
    );
  }

  recordDecision(
    contextId: string,
    decision: ClientPayload<'DecisionRecorded'>,
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    return this.#writer.event(contextId, 'DecisionRecorded', decision, options);
  }

  startStep(contextId: string, stepId: string, options: WriteOptions = {}): Promise<WriteAnswer> {
    return this.#writer.event(contextId, 'StepStarted', { stepId }, options);
  }

  failStep(
    contextId: string,
    failure: ClientPayload<'StepFailed'>,
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    return this.#writer.event(contextId, 'StepFailed', failure, options);
  }

  referenceArtifact(
    contextId: string,
    artifact: ClientPayload<'ArtifactReferenced'>,
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    return this.#writer.event(contextId, 'ArtifactReferenced', artifact, options);
  }

  /** `values` is a JSON merge patch. */
  setPreferences(
    contextId: string,
    values: JsonObject,
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    return this.#writer.event(contextId, 'PreferencesSet', { values }, options);
  }

  /** `values` is a JSON merge patch. */
  setGlobalContext(
    contextId: string,
    values: JsonObject,
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    return this.#writer.event(contextId, 'GlobalContextSet', { values }, options);
  }

  /** Closes a context. The answer has at most 100 `open` items, or null if they could not be read, and `openTotal` if there are more. */
  async closeContext(
    contextId: string,
    {
      outcome,
      reason,
      visibility,
      ifMatch,
      ...options
    }: WriteOptions & ClientPayload<'ContextClosed'> = {},
  ): Promise<WriteAnswer & StillOpen> {
    const data = { outcome, reason };
    const body = { type: 'ContextClosed', data, visibility };
    const request = {
      ...this.#writer.request(contextId, options, body),
      data,
      visibility,
      ifMatch,
    };
    const { write, stillOpen } = await this.commands.execute(new CloseContextCommand(request));
    return { ...write, ...stillOpen };
  }

  reopenContext(contextId: string, options: WriteOptions = {}): Promise<WriteAnswer> {
    return this.#writer.event(contextId, 'ContextReopened', {}, options);
  }

  /** Decides several events in order, and stores all or none. */
  async appendEvents(
    contextId: string,
    events: readonly ClientEvent[],
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    return this.#writer.write(
      contextId,
      events.map((event, at) => commandOf(event, `/events/${at}/data`)),
      options,
      events,
    );
  }

  /** Stores the difference between the document at version `ifMatch` and this one, as ordinary events. */
  updateContext(
    contextId: string,
    document: JsonObject,
    { ifMatch, ...options }: WriteOptions & Readonly<{ ifMatch: number }>,
  ): Promise<WriteAnswer> {
    const request = { ...this.#writer.request(contextId, options, document), ifMatch, document };
    return this.commands.execute(new ReplaceDocumentCommand(request));
  }

  /** The stored events, oldest first. */
  async listEvents(
    contextId: string,
    options: ReadOptions & Readonly<{ after?: number; limit?: number; types?: string[] }> = {},
  ): Promise<Page<JsonObject>> {
    const { after = 0, limit = 50, ...rest } = options;
    const query = new ListEventsQuery({ ...this.#of(contextId), after, limit, ...rest });
    return (await this.queries.execute(query)).page;
  }

  /** A page of the difference of a context between two versions or RFC 3339 times; `to` is the current version by default. */
  async compareContext(contextId: string, { limit = 50, ...range }: ComparisonRange) {
    const query = new CompareContextQuery({ ...this.#of(contextId), ...range, limit });
    const { difference, nextCursor } = await this.queries.execute(query);
    return { ...difference, nextCursor };
  }

  #of(contextId: string) {
    return { principal: this.principal, contextId };
  }
}
