import { Inject, Injectable } from '@nestjs/common';

import { ContextReader } from '#read-models';

import { AUDIT_LOG, type AuditLog, CONFLICT_LOG, type ConflictLog } from '../tokens.js';
import { type WriteResult } from './round-answers.js';
import { answerOf } from './answer-of.js';
import { MissedEvents } from './missed-events.js';
import { type PreparedWrite } from './prepared-write.js';
import { type WriteAnswer } from './write-context.command.js';

/** Handles the result of a write: an entry in the audit log, and an answer or an error. */
@Injectable()
export class WriteOutcomes {
  constructor(
    @Inject(ContextReader) private readonly reader: ContextReader,
    private readonly missed: MissedEvents,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
    @Inject(CONFLICT_LOG) private readonly conflict: ConflictLog,
  ) {}

  /** Logs who changed what; call it after the events are stored. */
  note({ id, principal, facts }: PreparedWrite, written: WriteResult): void {
    if (written.kind !== 'stored' && written.kind !== 'recorded') return;
    const { events } = written;
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

  async answer(write: PreparedWrite, written: WriteResult): Promise<WriteAnswer> {
    const { id, principal } = write;
    switch (written.kind) {
      case 'stored':
        return answerOf(write, written.events);
      case 'recorded':
        throw written.error;
      case 'replay':
        return answerOf(write, await this.reader.events(id, written.first, written.count));
      case 'nothing':
        return { contextId: id.contextId, version: written.version, events: [], extraFields: {} };
      case 'conflict': {
        const { expected, current } = written;
        const { correlationId } = write.facts;
        const versions = { expectedVersion: expected, currentVersion: current };
        this.conflict({ ...id, ...versions, principal: principal.name, correlationId });
        throw await this.missed.refusalOf(principal, id, written);
      }
    }
  }
}
