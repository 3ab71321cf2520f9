import { type KeyObject } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '#event-sourcing';
import { type ContextId, type DecodedEvent } from '#read-models';
import { isBeginning } from '#shared-context';

import { seesWhole } from '../access/authorize.js';
import { ConditionFailedError } from '../errors.js';
import { AUDIT_LOG, type AuditLog, FINGERPRINT_KEY } from '../tokens.js';
import { withinBytes } from '../reading/page-bytes.js';
import { ContextDirectory } from './context-directory.js';
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
    private readonly directory: ContextDirectory,
    @Inject(FINGERPRINT_KEY) private readonly fingerprintKey: KeyObject,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  /** Aborted before its turn, nothing is written; later, the caller only stops waiting for the answer. */
  async write({ signal, ...request }: WriteRequest): Promise<WriteAnswer> {
    signal?.throwIfAborted();
    const answer = this.#write(request);
    return signal ? unlessAborted(answer, signal) : answer;
  }

  async #write(request: WriteRequest): Promise<WriteAnswer> {
    const write = prepareWrite(request, this.fingerprintKey);
    const creates = write.commands.some(isBeginning);
    const written = creates ? await this.#create(write) : await this.writer.submit(write);
    if (written.kind === 'stored') this.#log(write, written.events);
    if (creates) await this.directory.register(write.id);
    return this.#answer(write, written);
  }

  async #create(write: PreparedWrite): Promise<Written> {
    const { id, repeat } = write;
    if (!repeat) return this.writer.submit(write);
    await this.directory.claim(id, repeat.key);
    try {
      return await this.writer.submit(write);
    } catch (error) {
      if (error instanceof DomainError) await this.directory.release(id, repeat.key);
      throw error;
    }
  }

  async #answer(write: PreparedWrite, written: Written): Promise<WriteAnswer> {
    const { id, principal } = write;
    switch (written.kind) {
      case 'stored':
        return answerOf(write, written.events);
      case 'replay':
        return answerOf(write, await this.writer.events(id, written.first, written.count));
      case 'nothing':
        return { contextId: id.contextId, version: written.version, events: [], made: {} };
      case 'conflict': {
        const missed = seesWhole(principal) ? await this.#missed(id, written) : [];
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
    const events = await this.writer.events(id, expected + 1, count);
    return events
      .slice(
        0,
        withinBytes(events, ({ bytes }) => bytes),
      )
      .map(showEvent);
  }

  #log({ id, principal, facts }: PreparedWrite, events: readonly DecodedEvent[]): void {
    this.audit({
      workspace: id.workspace,
      contextId: id.contextId,
      version: events.at(-1)?.version ?? 0,
      types: events.map(({ type }) => type),
      principal: principal.name,
      origin: facts.origin?.agentId ?? null,
      correlationId: facts.correlationId,
    });
  }
}

async function unlessAborted<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
