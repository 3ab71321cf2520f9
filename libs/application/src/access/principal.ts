import { z } from 'zod';

export const roles = ['agent', 'operator', 'auditor', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The authenticated sender of a request. A limit of `null` means "no limit". */
export type Principal = Readonly<{
  /** As shown in events: an agent id, `key:<keyId>`, or `admin` for root. */
  name: string;
  role: Role;
  isRoot: boolean;
  workspace: string;
  keyId: string | null;
  agentId: string | null;
  audiences: readonly string[];
  /** Agents for which this key may write, besides its own; `*` allows every agent. */
  actsFor: readonly string[];
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
  /** When the key expires, RFC 3339; null if never. */
  expiresAt: string | null;
}>;

const names = z.array(z.string());

export const principalSchema: z.ZodType<Principal> = z.object({
  name: z.string(),
  role: z.enum(roles),
  isRoot: z.boolean(),
  workspace: z.string(),
  keyId: z.string().nullable(),
  agentId: z.string().nullable(),
  audiences: names,
  actsFor: names,
  contexts: names.nullable(),
  workflows: names.nullable(),
  expiresAt: z.string().nullable(),
});
