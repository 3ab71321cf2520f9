import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import {
  CheckAgentCommand,
  CloseContextCommand,
  DeriveNowCommand,
  ForkContextCommand,
  ReplaceDocumentCommand,
  RestoreContextCommand,
  type WriteAnswer,
  WriteContextCommand,
  newId,
} from '#application';
import { type JsonObject } from '#event-sourcing';
import {
  type ClientEvent,
  type ClientPayload,
  commandFromEvent,
  type ContextCommand,
  type Visibility,
} from '#shared-context';

import { Answer, etagOf } from './answer.js';
import { type EventStatement } from './body.reader.js';
import { type RequestFacts } from './input.js';

/** A request that writes to the context in its path. */
type WriteInput = RequestFacts & Readonly<{ params: Readonly<{ contextId: string }> }>;

/** The write of a request; pointers of faults in a `batch` begin with the index of the event. */
type RequestedWrite = Readonly<{
  contextId: string;
  commands: readonly ContextCommand[];
  agentId: string | undefined;
  batch?: boolean;
}>;

/** Sends writes to the application. A write that was sent continues even if its client disconnects. */
@Injectable()
export class WriteEndpointAdapter {
  constructor(private readonly commands: CommandBus) {}

  append(input: WriteInput, { event, agentId }: EventStatement): Promise<Answer> {
    const commands = [commandFromEvent(event, newId)];
    return this.write(input, { contextId: input.params.contextId, commands, agentId });
  }

  appendAll(
    input: WriteInput,
    events: readonly ClientEvent[],
    agentId: string | undefined,
  ): Promise<Answer> {
    const commands = events.map((event) => commandFromEvent(event, newId));
    return this.write(input, { contextId: input.params.contextId, commands, agentId, batch: true });
  }

  async write(input: RequestFacts, { agentId, ...requested }: RequestedWrite): Promise<Answer> {
    const request = { ...factsOf(input, agentId), ...requested };
    return writeAnswerOf(await this.commands.execute(new WriteContextCommand(request)));
  }

  async restore(
    input: WriteInput,
    {
      agentId,
      ...target
    }: Readonly<{
      agentId: string | undefined;
      version?: number | undefined;
      checkpoint?: string | undefined;
      cancelRun: boolean;
    }>,
  ): Promise<Answer> {
    const request = { ...factsOf(input, agentId), contextId: input.params.contextId, ...target };
    return writeAnswerOf(await this.commands.execute(new RestoreContextCommand(request)));
  }

  async fork(
    input: WriteInput,
    {
      agentId,
      ...options
    }: Readonly<{
      agentId: string | undefined;
      atVersion?: number | undefined;
      checkpoint?: string | undefined;
      forkId: string;
    }>,
  ): Promise<Answer> {
    const request = { ...factsOf(input, agentId), contextId: input.params.contextId, ...options };
    return writeAnswerOf(await this.commands.execute(new ForkContextCommand(request)));
  }

  /** Adds the findings to the answer of the write. */
  async check(
    input: WriteInput,
    {
      agentId,
      ...options
    }: Readonly<{
      agentId: string | undefined;
      agent: string;
      visibility: Visibility | undefined;
    }>,
  ): Promise<Answer> {
    const request = { ...factsOf(input, agentId), contextId: input.params.contextId, ...options };
    const { write, findings } = await this.commands.execute(new CheckAgentCommand(request));
    return writeAnswerOf({ ...write, extraFields: findings });
  }

  /** Adds the open items to the answer of the write. */
  async close(
    input: WriteInput,
    {
      agentId,
      ...options
    }: Readonly<{
      agentId: string | undefined;
      data: ClientPayload<'ContextClosed'>;
      visibility: Visibility | undefined;
      cancelRun: boolean;
    }>,
  ): Promise<Answer> {
    const request = { ...factsOf(input, agentId), contextId: input.params.contextId, ...options };
    const { write, stillOpen } = await this.commands.execute(new CloseContextCommand(request));
    return writeAnswerOf({ ...write, extraFields: stillOpen });
  }

  async derive(input: WriteInput, transformationId: string): Promise<Answer> {
    const { contextId } = input.params;
    const request = { ...factsOf(input, undefined), contextId, transformationId };
    return writeAnswerOf(await this.commands.execute(new DeriveNowCommand(request)));
  }

  async replace(input: WriteInput, ifMatch: number, document: JsonObject): Promise<Answer> {
    const request = { ...factsOf(input, undefined), contextId: input.params.contextId };
    return writeAnswerOf(
      await this.commands.execute(new ReplaceDocumentCommand({ ...request, ifMatch, document })),
    );
  }
}

/** The parts of a request that every write uses. */
export function factsOf(input: RequestFacts, agentId: string | undefined) {
  const { principal, headers, method, bodyText: body } = input;
  const { ifMatch, idempotencyKey: key, origin } = headers;
  const idempotency = key === undefined ? undefined : { key, method, path: input.path, body };
  return { principal, ifMatch, idempotency, origin: { ...origin, agentId } };
}

/** The answer to a write: 201 if events were stored, 200 if there was nothing to add. */
export function writeAnswerOf({ contextId, version, events, extraFields }: WriteAnswer): Answer {
  const status = events.length > 0 ? 201 : 200;
  return new Answer(
    status,
    { contextId, version, events, ...extraFields },
    { ETag: etagOf(version) },
  );
}
