import { Inject } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { validate } from 'uuid';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import {
  findDeadLetter,
  listDeadLetters,
  retryDeadLetter,
  sharedContextProjection,
} from '#read-models';

import { requireRoot } from '../access/authorize.js';
import { ResourceNotFoundError } from '../errors.js';
import { encodeCursor } from '../paging/cursor.js';
import { AUDIT_LOG, type AuditLog, DATABASE, EVENT_STORE } from '../tokens.js';
import { ListDeadLettersQuery, RetryDeadLetterCommand } from './jobs.messages.js';
import { decodeJobCursor } from './job-cursor.js';

@QueryHandler(ListDeadLettersQuery)
export class ListDeadLettersHandler implements IQueryHandler<ListDeadLettersQuery> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  async execute({ request: { principal, cursor, limit, ...filter } }: ListDeadLettersQuery) {
    requireRoot(principal);
    const position = decodeJobCursor(cursor);
    const found = await listDeadLetters(this.db, {
      projection: sharedContextProjection,
      filter,
      after: position && { parkedAt: position.time, id: position.id },
      limit: limit + 1,
    });
    const items = found.slice(0, limit);
    const last = items.at(-1);
    const nextCursor = found.length > limit && last ? encodeCursor([last.parkedAt, last.id]) : null;
    return { items, nextCursor };
  }
}

@CommandHandler(RetryDeadLetterCommand)
export class RetryDeadLetterHandler implements ICommandHandler<RetryDeadLetterCommand> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ request: { principal, id } }: RetryDeadLetterCommand) {
    requireRoot(principal);
    const letter = validate(id) ? await findDeadLetter(this.db, id) : undefined;
    // Dead letters of a running rebuild, or of replaced rows, cannot be retried.
    if (letter?.projection !== sharedContextProjection)
      throw new ResourceNotFoundError(`there is no dead letter "${id}"`);
    const { workspace, contextId } = letter;
    const types = ['DeadLetterRetried'];
    this.audit({ workspace, contextId, types, principal: principal.name });
    return retryDeadLetter({ db: this.db, store: this.store }, id);
  }
}
