import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type ContextId, advanceHead, findContextByCreateKey, registerContext } from '#read-models';

import { IdempotencyKeyReusedError } from '../errors.js';
import { DATABASE } from '../tokens.js';
import { ContextWriter } from './context-writer.js';

/** The list of contexts, which has no stream to be read with: kept true by those who create. */
@Injectable()
export class ContextDirectory {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly writer: ContextWriter,
  ) {}

  /** Lists show a context once its creation is acknowledged, whether or not the projector has got there. */
  async register(id: ContextId): Promise<void> {
    const [created] = await this.writer.events(id, 1, 1);
    if (created) await registerContext(this.db, advanceHead(id, undefined, created, nothingBefore));
  }

  /** A key that made one context must not make another under a different id. */
  async refuseReusedKey(id: ContextId, key: string): Promise<void> {
    const made = await findContextByCreateKey(this.db, id.workspace, key);
    if (made !== undefined && made !== id.contextId)
      throw new IdempotencyKeyReusedError(
        'this Idempotency-Key was used before with another body: use a new key for a new request',
      );
  }
}

function nothingBefore(): undefined {
  return undefined;
}
