import { type Role } from '../access/principal.js';

/** The rights of a key. */
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
