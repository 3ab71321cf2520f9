import { type KeyObject } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import {
  type ContextId,
  type DecodedEvent,
  contextStream,
  decodeEvent,
  findContextByCreateKey,
  registerContext,
  advanceHead,
} from '#read-models';

import { ConditionFailedError, IdempotencyKeyReusedError } from '../errors.js';
import { AUDIT_LOG, type AuditLog, DATABASE, EVENT_STORE, FINGERPRINT_KEY } from '../tokens.js';
import { ContextWriter, type Written } from './context-writer.js';
import { answerOf, showEvent } from './event-view.js';
import { type PreparedWrite, prepareWrite } from './prepared-write.js';
import { type WriteAnswer, type WriteRequest } from './write-context.command.js';

/** The most events a refused condition shows of what was missed. */
const mostMissed = 100;

/** Authorised writes in, answers out: around the writer stand the directory of contexts, replays and the audit log. */
@Injectable()
export class ContextWrites {
  constructor(
    private readonly writer: ContextWriter,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(FINGERPRINT_KEY) private readonly fingerprintKey: KeyObject,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async write(request: WriteRequest): Promise<WriteAnswer> {
    const write = prepareWrite(request, this.fingerprintKey);
    const creates = write.commands.some(({ type }) => type === 'CreateContext');
    if (creates) await this.#refuseReusedCreateKey(write);
    const written = await this.writer.submit(write);
    const answer = await this.#answer(write, written);
    if (creates) await this.#register(write.id);
    if (written.kind === 'stored') this.#log(write, answer);
    return answer;
  }

  async #answer({ id }: PreparedWrite, written: Written): Promise<WriteAnswer> {
    switch (written.kind) {
      case 'stored':
        return answerOf(id.contextId, written.events);
      case 'replay':
        return answerOf(id.contextId, await this.#events(id, written.first, written.count));
      case 'nothing':
        return { contextId: id.contextId, version: written.version, events: [], made: {} };
      case 'conflict': {
        const missed = await this.#missed(id, written);
        throw new ConditionFailedError(written.expected, written.current, missed);
      }
    }
  }

  async #missed(
    id: ContextId,
    { expected, current }: Readonly<{ expected: number; current: number }>,
  ) {
    const count = Math.min(current - expected, mostMissed);
    if (count <= 0) return [];
    return (await this.#events(id, expected + 1, count)).map(showEvent);
  }

  async #events(id: ContextId, from: number, limit: number): Promise<DecodedEvent[]> {
    const stored = await this.store.readStream(contextStream(id), { from, limit });
    return stored.map(decodeEvent);
  }

  /** A key that made one context must not make another under a different id. */
  async #refuseReusedCreateKey({ id, repeat }: PreparedWrite): Promise<void> {
    if (!repeat) return;
    const made = await findContextByCreateKey(this.db, id.workspace, repeat.key);
    if (made !== undefined && made !== id.contextId)
      throw new IdempotencyKeyReusedError(
        'this Idempotency-Key was used before with another body: use a new key for a new request',
      );
  }

  /** Lists show a context once its creation is acknowledged, whether or not the projector has got there. */
  async #register(id: ContextId): Promise<void> {
    const [created] = await this.#events(id, 1, 1);
    if (created)
      await registerContext(
        this.db,
        advanceHead(id, undefined, created, () => undefined),
      );
  }

  #log({ id, principal, facts }: PreparedWrite, { version, events }: WriteAnswer): void {
    this.audit({
      workspace: id.workspace,
      contextId: id.contextId,
      version,
      types: events.map(({ type }) => type),
      principal: principal.name,
      origin: facts.origin?.agentId ?? null,
      correlationId: facts.correlationId,
    });
  }
}
