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
  type ComparedRange,
  type ReadOptions,
  type WriteOptions,
} from './shared-context.options.js';
import { type StatedCreation, commandOf, readCreation } from './stated-input.js';

export const IN_PROCESS_PRINCIPAL = Symbol('IN_PROCESS_PRINCIPAL');

/**
 * Shared contexts inside a Nest application: the same rules, conflicts and guarantees as over HTTP, without it.
 * Errors are the domain's, each with the `code` that contract and problem pages name.
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

  /** The same contexts, written and read as this agent, and as no other. */
  asAgent(agentId: string): SharedContextService {
    const own = { name: agentId, agentId, role: 'agent', actsFor: [] } as const;
    return new SharedContextService(this.commands, this.queries, { ...this.principal, ...own });
  }

  /** The same contexts, of which nothing is read but what these audiences see: the first where a call names none. */
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
   * What a step produced last, or null while it has produced nothing. With a `schema` the output is parsed, so that
   * the type is a fact; without one it is JSON. `waitSeconds` (at most 60) waits for the first output.
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
    // Without a schema the caller states the type, as with JSON.parse.
    return schema ? schema.parse(output['output']) : (output['output'] as Output);
  }

  /** Creates a context; without `contextId` it gets a new UUIDv7. */
  async createContext(
    creation: StatedCreation & Readonly<{ contextId?: string }> = {},
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    const { contextId = newId(), ...stated } = creation;
    const data = readCreation(contextId, stated);
    return this.#writer.write(
      contextId,
      [{ type: 'CreateContext', data, visibility: options.visibility }],
      options,
      { contextId, stated },
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

  /** JSON merge patch. */
  setPreferences(
    contextId: string,
    values: JsonObject,
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    return this.#writer.event(contextId, 'PreferencesSet', { values }, options);
  }

  /** JSON merge patch. */
  setGlobalContext(
    contextId: string,
    values: JsonObject,
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    return this.#writer.event(contextId, 'GlobalContextSet', { values }, options);
  }

  /** `open`: what is not done, at most 100, null if it could not be read; `openTotal` if there is more. */
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

  /** Several events, decided in order, stored together or not at all. */
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

  /** The whole document as it should be: stored is the difference to version `ifMatch`, as ordinary events. */
  updateContext(
    contextId: string,
    document: JsonObject,
    { ifMatch, ...options }: WriteOptions & Readonly<{ ifMatch: number }>,
  ): Promise<WriteAnswer> {
    const request = { ...this.#writer.request(contextId, options, document), ifMatch, document };
    return this.commands.execute(new ReplaceDocumentCommand(request));
  }

  /** Events as stored, oldest first. */
  async listEvents(
    contextId: string,
    options: ReadOptions & Readonly<{ after?: number; limit?: number; types?: string[] }> = {},
  ): Promise<Page<JsonObject>> {
    const { after = 0, limit = 50, ...rest } = options;
    const query = new ListEventsQuery({ ...this.#of(contextId), after, limit, ...rest });
    return (await this.queries.execute(query)).page;
  }

  /** A page of what became of a context between two versions or RFC 3339 times; up to now where `to` is left out. */
  async compareContext(contextId: string, { limit = 50, ...range }: ComparedRange) {
    const query = new CompareContextQuery({ ...this.#of(contextId), ...range, limit });
    const { difference, nextCursor } = await this.queries.execute(query);
    return { ...difference, nextCursor };
  }

  #of(contextId: string) {
    return { principal: this.principal, contextId };
  }
}
