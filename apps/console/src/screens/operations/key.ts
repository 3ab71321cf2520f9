/** A key without its secret, as `GET /v1/keys` returns it. */
export type Key = Readonly<{
  keyId: string;
  role: Role;
  workspace: string;
  agentId: string | null;
  audiences: readonly string[];
  actsFor: readonly string[];
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
  expiresAt: string | null;
  createdAt: string;
  createdBy: string;
  revokedAt: string | null;
}>;

export type CreatedKey = Key & Readonly<{ secret: string }>;

export const roles = ['agent', 'operator', 'auditor', 'admin'] as const;
type Role = (typeof roles)[number];

export const roleTexts: Readonly<Record<Role, string>> = {
  agent: 'reads and writes contexts',
  operator: 'also decides approvals and attempts in doubt',
  auditor: 'reads only, also the keys and the feed of the workspace',
  admin: 'may do all of this, and creates keys, agents and policies',
};

export function stateOf(
  { revokedAt, expiresAt }: Pick<Key, 'revokedAt' | 'expiresAt'>,
  now: number,
): 'revoked' | 'expired' | 'active' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}

/** The limits of a key by name, without those that limit nothing. */
export function limitsOf(key: Key): readonly (readonly [string, readonly string[]])[] {
  const limits = [
    ['audiences', key.audiences],
    ['acts for', key.actsFor],
    ['contexts', key.contexts],
    ['workflows', key.workflows],
  ] as const;
  return limits.flatMap(([name, values]) =>
    values === null || (name === 'acts for' && values.length === 0) ? [] : [[name, values]],
  );
}

const listFields = ['audiences', 'actsFor', 'contexts', 'workflows'] as const;

/** The body of `POST /v1/keys`. Lists have one entry per line; empty fields are left out. */
export function grantOf(field: (name: string) => string): Readonly<Record<string, unknown>> {
  const agentId = field('agentId').trim();
  const expires = field('expiresAt');
  const grant: Record<string, unknown> = { role: field('role') };
  if (agentId !== '') grant['agentId'] = agentId;
  for (const name of listFields) {
    const lines = linesOf(field(name));
    if (lines.length > 0) grant[name] = lines;
  }
  if (expires !== '') grant['expiresAt'] = new Date(expires).toISOString();
  return grant;
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
