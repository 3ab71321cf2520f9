import { type Role } from '../access/principal.js';

/** What a key may do; the secret itself is never stored, only its SHA-256. */
export type KeyGrant = Readonly<{
  role: Role;
  workspace: string;
  agentId: string | null;
  audiences: readonly string[];
  actsFor: readonly string[];
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
  expiresAt: string | null;
}>;

export type KeyView = KeyGrant &
  Readonly<{ keyId: string; createdAt: string; createdBy: string; revokedAt: string | null }>;
