import { Command } from '@nestjs/cqrs';

import { type EnvelopeFacts, type JsonObject } from '#event-sourcing';
import { type ContextCommand, type ItemKey } from '#shared-context';

import { type CommandPlaces } from '../access/command-place.js';
import { type Principal } from '../access/principal.js';

/** The idempotency key of a write, its scope, and the exact text of the body. */
type IdempotencyRequest = Readonly<{
  key: string;
  method: string;
  path: string;
  body: string;
}>;

/** Statements of a request about itself; they are stored in the envelope of every event. */
export type WriteOrigin = Readonly<{
  /** The agent for which the principal writes; the principal must be allowed to act for it. */
  agentId?: string | undefined;
  correlationId?: string | undefined;
  causationId?: string | undefined;
  basedOn?: string | undefined;
  trust?: 'human' | 'agent' | 'tool' | 'web' | undefined;
}>;

/** The author and time that an imported document gives for an event. An event with a time counts as imported. */
export type ImportedClaim = NonNullable<EnvelopeFacts['origin']>;

export type WriteRequest = Readonly<{
  principal: Principal;
  contextId: string;
  /** Decided in order, each on the results of the ones before it; stored together or not at all. */
  commands: readonly ContextCommand[];
  /**
   * Also runs this transformation if its trigger has occurred, and then the transformations that depend on its values.
   */
  derive?: string | undefined;
  /** The commands came as a list, so pointers of errors start with `/events/<n>/data`. */
  batch?: boolean | undefined;
  /** The author and time that each command of an imported document claims for its events. */
  claims?: readonly (ImportedClaim | undefined)[] | undefined;
  /** The pointers to the commands in a request that is not a list of events. */
  places?: CommandPlaces['places'];
  /** An error to be thrown once the write has passed all checks that come before the rules. */
  refusal?: unknown;
  /** If the write is refused, nothing is stored, not even the event that records the refusal. */
  allOrNothing?: boolean | undefined;
  /** The items that the commands name and that are hidden from the principal; the commands treat them as missing. */
  hidden?: readonly ItemKey[] | undefined;
  origin?: WriteOrigin | undefined;
  /** The version on which the caller decided; any other current version is a conflict. */
  ifMatch?: number | undefined;
  idempotency?: IdempotencyRequest | undefined;
  /**
   * The hash of the token that starts an attempt. The same token gives the same event id, so the start is stored once.
   */
  startedUnder?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

export type WrittenEvent = Readonly<{ eventId: string; type: string; version: number }> &
  JsonObject;

/**
 * `events` is empty if nothing changed. `extraFields` has the new ids of a write of one command, and the status of a decision.
 */
export type WriteAnswer = Readonly<{
  contextId: string;
  version: number;
  events: readonly WrittenEvent[];
  extraFields: JsonObject;
}>;

/** Writes to one context; its creation is a command like any other. */
export class WriteContextCommand extends Command<WriteAnswer> {
  constructor(readonly request: WriteRequest) {
    super();
  }
}
