import { Command } from '@nestjs/cqrs';

import { type EnvelopeFacts, type JsonObject } from '#event-sourcing';
import { type ContextCommand, type ItemKey } from '#shared-context';

import { type CommandPlaces } from '../access/command-place.js';
import { type Principal } from '../access/principal.js';

/** How a caller made a write repeatable: the header, what it is scoped to, and the body's exact text. */
type IdempotencyRequest = Readonly<{
  key: string;
  method: string;
  path: string;
  body: string;
}>;

/** What a request says about itself beside its commands; it ends up in the envelope of every event. */
export type WriteOrigin = Readonly<{
  /** Written for this agent; the principal must be allowed to act for it. */
  agentId?: string | undefined;
  correlationId?: string | undefined;
  causationId?: string | undefined;
  basedOn?: string | undefined;
  trust?: 'human' | 'agent' | 'tool' | 'web' | undefined;
}>;

/** What an imported document says of an event; with a time, events are known as imported. */
export type ImportedClaim = NonNullable<EnvelopeFacts['origin']>;

export type WriteRequest = Readonly<{
  principal: Principal;
  contextId: string;
  /** Decided in order, each seeing the ones before; stored together or not at all. */
  commands: readonly ContextCommand[];
  /** Also runs this transformation if its trigger has happened, and then those that depend on its values. */
  derive?: string | undefined;
  /** The commands came as a list, so that faults point into `/events/<n>/data`. */
  batch?: boolean | undefined;
  /** Whose work the events of each command are said to be, and when; for commands of an imported document. */
  claims?: readonly (ImportedClaim | undefined)[] | undefined;
  /** The places of the commands in a request that is not a list of events. */
  places?: CommandPlaces['places'];
  /** Thrown once the write has passed every check that comes before its rules. */
  refusal?: unknown;
  /** If it is refused, nothing is stored, not even the event that records the refusal. */
  allOrNothing?: boolean | undefined;
  /** Of the items that the commands name, those that the principal does not see: to these commands they are not there. */
  unseen?: readonly ItemKey[] | undefined;
  origin?: WriteOrigin | undefined;
  /** The version the caller decided on; another current version is a conflict. */
  ifMatch?: number | undefined;
  idempotency?: IdempotencyRequest | undefined;
  /** The hash of the token under which this starts an attempt: the start is the same event however often it is stored. */
  startedUnder?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

export type WrittenEvent = Readonly<{ eventId: string; type: string; version: number }> &
  JsonObject;

/** `events` is empty if there was nothing to add; `made` holds the ids of a write of one command, and the status of a decision. */
export type WriteAnswer = Readonly<{
  contextId: string;
  version: number;
  events: readonly WrittenEvent[];
  made: JsonObject;
}>;

/** Appends to one context; creating it is a command like any other. */
export class WriteContextCommand extends Command<WriteAnswer> {
  constructor(readonly request: WriteRequest) {
    super();
  }
}
