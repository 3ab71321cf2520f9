import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';

import { type ReceiptFacts } from '#context-views';
import { type Database } from '#database';

import { DATABASE } from '../tokens.js';

/** `text` is null if it was erased. */
export type CitedText = Readonly<{ text: string | null }>;

type TextId = Pick<ReceiptFacts, 'workspace' | 'contextId' | 'hash'>;

/** Stores the cited texts permanently, once per context and hash. */
@Injectable()
export class CitedTexts {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  async find(shown: TextId): Promise<CitedText | undefined> {
    const { rows } = await sql<{ text: Buffer | null }>`
      select case when erased_at is null then text end as text
      from throughline.cited_texts where ${placeOf(shown)}`.execute(this.db);
    const [row] = rows;
    return row && { text: row.text && row.text.toString() };
  }

  async has(shown: TextId): Promise<boolean> {
    const { rows } = await sql`
      select 1 from throughline.cited_texts where ${placeOf(shown)}`.execute(this.db);
    return rows.length > 0;
  }

  async store(shown: Pick<ReceiptFacts, 'kind'> & TextId, text: string): Promise<void> {
    const { workspace, contextId, hash, kind } = shown;
    await sql`
      insert into throughline.cited_texts (workspace, context_id, hash, kind, text)
      values (${workspace}, ${contextId}, ${Buffer.from(hash, 'hex')}, ${kind}, ${Buffer.from(text)})
      on conflict do nothing`.execute(this.db);
  }
}

function placeOf({ workspace, contextId, hash }: TextId) {
  return sql`workspace = ${workspace} and context_id = ${contextId} and hash = ${Buffer.from(hash, 'hex')}`;
}
