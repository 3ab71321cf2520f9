import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { ContextReader, registerContext } from '#read-models';
import {
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  activityKinds,
  advanceHead,
  replacesWholeState,
} from '#shared-context';

import { IdempotencyKeyReusedError } from '../errors.js';
import { DATABASE } from '../tokens.js';

/** Maintains the rows of the list of contexts on creation, before the projector does. */
@Injectable()
export class ContextRegistry {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(ContextReader) private readonly reader: ContextReader,
  ) {}

  /** Adds a created context to the lists before its creation is acknowledged, however far the projector has got. */
  async register(id: ContextId): Promise<void> {
    const [created] = await this.reader.events(id, 1, 1);
    const head = created && (await this.#firstHead(id, created));
    if (head) await registerContext(this.db, head);
  }

  /** The first head of a fork depends on its source, so it is read instead of computed. */
  async #firstHead(id: ContextId, created: DecodedEvent): Promise<ContextHead | undefined> {
    if (!replacesWholeState(created))
      return advanceHead(id, undefined, created, { lookup: nothingBefore });
    return (await this.reader.readAt(id, created.version, { kinds: activityKinds })).head;
  }

  /**
   * One idempotency key must not create two contexts with different ids: the first id that claims the key, in any
   * process, gets it. Throws {@link IdempotencyKeyReusedError}.
   */
  async claim(id: ContextId, key: string): Promise<void> {
    const { rows } = await sql<{ context_id: string }>`
      insert into throughline.create_claims as c (workspace, create_key, context_id)
      values (${id.workspace}, ${key}, ${id.contextId})
      on conflict (workspace, create_key) do update set context_id = c.context_id
      returning context_id`.execute(this.db);
    if (rows[0]?.context_id !== id.contextId)
      throw new IdempotencyKeyReusedError(
        'this Idempotency-Key was used before with another body: use a new key for a new request',
      );
  }

  /** Frees the key of a refused creation: only writes that stored events use up their key. */
  async release(id: ContextId, key: string): Promise<void> {
    const [created] = await this.reader.events(id, 1, 1);
    if (created?.idempotency?.key === key) return;
    await sql`
      delete from throughline.create_claims
      where workspace = ${id.workspace} and create_key = ${key} and context_id = ${id.contextId}`.execute(
      this.db,
    );
  }
}

function nothingBefore(): undefined {
  return undefined;
}
