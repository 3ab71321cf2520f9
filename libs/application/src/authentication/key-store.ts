import { randomBytes, timingSafeEqual } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { v7 } from 'uuid';
import { z } from 'zod';

import { type Database } from '#database';
import { sha256 } from '#read-models';

import { type Principal, roles } from '../access/principal.js';
import { type KeyGrant, type KeyView } from './key-grant.js';
import { DATABASE } from '../tokens.js';

const grantSchema = z.object({
  role: z.enum(roles),
  agentId: z.string().nullable(),
  audiences: z.array(z.string()),
  actsFor: z.array(z.string()),
  contexts: z.array(z.string()).nullable(),
  workflows: z.array(z.string()).nullable(),
});

const keyRow = z.object({
  key_id: z.string(),
  workspace: z.string(),
  grant_json: z.string(),
  created_at: z.date(),
  created_by: z.string(),
  expires_at: z.date().nullable(),
  revoked_at: z.date().nullable(),
});

const holderRow = keyRow.extend({ valid_ms: z.number().nullable() });

/** `validMs`: milliseconds until the key expires, by the clock of the database; infinite if never. */
type KeyHolder = Readonly<{ principal: Principal; validMs: number }>;

/** API keys. The secret is returned once; only its SHA-256 is stored. */
@Injectable()
export class KeyStore {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  async create(
    grant: KeyGrant,
    createdBy: string,
  ): Promise<KeyView & Readonly<{ secret: string }>> {
    const secret = newSecret();
    const { workspace, expiresAt, ...rest } = grant;
    const { rows } = await sql`
      insert into throughline.api_keys (key_id, secret_hash, workspace, grant_json, created_by, expires_at)
      values (${v7()}, ${hashSecret(secret)}, ${workspace}, ${JSON.stringify(rest)}, ${createdBy}, ${expiresAt})
      returning *`.execute(this.db);
    return { ...toView(keyRow.parse(rows[0])), secret };
  }

  /** Lists keys after the key `after`, the oldest first. `workspace`: null for all workspaces. */
  async list(
    workspace: string | null,
    after: string | undefined,
    limit: number,
  ): Promise<KeyView[]> {
    const { rows } = await sql`
      select * from throughline.api_keys
      where (${workspace}::text is null or workspace = ${workspace}) and (${after ?? null}::text is null or key_id > ${after ?? null})
      order by key_id limit ${limit}`.execute(this.db);
    return rows.map((row) => toView(keyRow.parse(row)));
  }

  /** Finds a key of any workspace, revoked or not. The rights of a key never change. */
  async find(keyId: string): Promise<KeyView | undefined> {
    const { rows } = await sql`
      select * from throughline.api_keys where key_id = ${keyId}`.execute(this.db);
    const [row] = rows;
    return row === undefined ? undefined : toView(keyRow.parse(row));
  }

  /** Repeated revocations do not change the time of the first one. */
  async revoke(keyId: string): Promise<void> {
    await sql`
      update throughline.api_keys set revoked_at = coalesce(revoked_at, now()) where key_id = ${keyId}`.execute(
      this.db,
    );
  }

  /** The keys among these that are revoked, expired or unknown. */
  async findEnded(keyIds: readonly string[]): Promise<readonly string[]> {
    const { rows } = await sql<{ key_id: string }>`
      select requested.key_id from unnest(${keyIds}::text[]) as requested (key_id)
      where not exists (
        select from throughline.api_keys k where k.key_id = requested.key_id
          and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))`.execute(
      this.db,
    );
    return rows.map(({ key_id: keyId }) => keyId);
  }

  /** Undefined for a secret that is unknown, revoked or expired. */
  async findHolder(secretHash: string): Promise<KeyHolder | undefined> {
    const { rows } = await sql`
      select *, extract(epoch from expires_at - now())::float8 * 1000 as valid_ms from throughline.api_keys
      where secret_hash = ${secretHash} and revoked_at is null and (expires_at is null or expires_at > now())`.execute(
      this.db,
    );
    if (!rows[0]) return undefined;
    const row = holderRow.parse(rows[0]);
    const key = toView(row);
    const { keyId, workspace, role, agentId, audiences, actsFor, contexts, workflows } = key;
    const reach = { workspace, audiences, actsFor, contexts, workflows, expiresAt: key.expiresAt };
    const name = agentId ?? `key:${keyId}`;
    const principal = { name, role, isRoot: false, keyId, agentId, ...reach };
    return { principal, validMs: row.valid_ms ?? Number.POSITIVE_INFINITY };
  }
}

/** The stored form of secrets: they are random, so a plain hash is enough. */
export const hashSecret = sha256;

export function sameHash(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

/** 256 random bits. Secret scanners recognize the prefix. */
export function newSecret(): string {
  return `tl_${randomBytes(32).toString('base64url')}`;
}

function toView(row: z.output<typeof keyRow>): KeyView {
  return {
    keyId: row.key_id,
    workspace: row.workspace,
    ...grantSchema.parse(JSON.parse(row.grant_json)),
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}
