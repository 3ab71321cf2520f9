import { createHash } from 'node:crypto';

import { v5 } from 'uuid';

import { type EnvelopeFacts, sealEvent } from '#event-sourcing';
import { type ExportedEvent } from '#interop';
import {
  type ContextCommand,
  type NewContextEvent,
  ContextState,
  contextRegistry,
  contextDecider,
} from '#shared-context';

/** The namespace of event ids, which are derived from context and version: the same input yields the same file. */
const eventIdNamespace = '0b4c2f0e-7c35-5f0e-9d4c-3a8f4b1d2e61';
const workspace = 'default';
const recorder = 'trail-recorder';

export type SealedEvent = ExportedEvent & Readonly<{ hash: string }>;

/** The agent, the time (RFC 3339), and the causing event if the input names one. */
type EventOrigin = Readonly<{
  agentId: string | null;
  at: string;
  causationId?: string | undefined;
}>;

/** A context that is created without a server: its events pass the decider, form a hash chain, and have past times. */
export class SealedContext {
  readonly events: SealedEvent[] = [];
  #state = ContextState.from([]);
  #hash: string | null = null;
  #latest = '';

  constructor(
    readonly contextId: string,
    private readonly correlationId: string,
  ) {}

  /** Executes the command and returns the id of the last event. */
  do(command: ContextCommand, origin: EventOrigin): string | undefined {
    for (const event of contextDecider.decide(command, this.#state)) this.#append(event, origin);
    return this.events.at(-1)?.eventId;
  }

  #append(event: NewContextEvent, origin: EventOrigin): void {
    const { contextId } = this;
    const version = this.events.length + 1;
    const eventId = v5(`${contextId}@${version}`, eventIdNamespace);
    const data = JSON.stringify(event.data);
    const facts = this.#factsOf(event, origin);
    const place = { workspace, context: contextId, version };
    const sealed = sealEvent({ eventId, type: event.type, data, facts }, place, this.#hash, sha256);
    const { hash, ...stored } = sealed;
    this.events.push({ ...stored, workspace, contextId, version, hash });
    this.#hash = hash;
    const bytes = Buffer.byteLength(data);
    this.#state = this.#state.apply({ ...event, ...facts, eventId, version, bytes });
  }

  #factsOf(
    event: NewContextEvent,
    { agentId, at, causationId = undefined }: EventOrigin,
  ): EnvelopeFacts {
    // Recorded times never decrease within a context.
    this.#latest = at > this.#latest ? at : this.#latest;
    return {
      schemaVersion: contextRegistry.find(event.type)?.version ?? 1,
      recordedAt: this.#latest,
      principal: recorder,
      origin: agentId === null ? null : { agentId, timestamp: at },
      correlationId: this.correlationId,
      causationId: causationId ?? null,
      basedOn: null,
      trust: 'agent',
      visibility: event.visibility,
      encrypted: null,
      idempotency: null,
    };
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
