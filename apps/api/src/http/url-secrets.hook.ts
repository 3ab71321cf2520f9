import { type FastifyRequest } from 'fastify';

import { invalidInput } from '../problems/problem.error.js';

/** Names under which clients pass keys. No endpoint has a parameter of such a name. */
export const secretNames: ReadonlySet<string> = new Set([
  ...['key', 'api_key', 'apikey', 'api-key', 'token', 'access_token', 'auth_token', 'auth'],
  ...['authorization', 'bearer', 'secret', 'password'],
]);

/** Refuses keys in URLs, whoever sends them and wherever: proxies and logs keep URLs, and `Referer` hands them on. */
export async function urlSecretsHook({ query }: FastifyRequest): Promise<void> {
  const given = Object.keys(Object(query)).filter((name) => secretNames.has(name.toLowerCase()));
  if (given.length === 0) return;
  throw invalidInput(
    given.map((name) => ({
      pointer: `/${name}`,
      detail:
        'no key is taken from a URL, which logs and proxies keep: send Authorization: Bearer <secret>, and replace a key that was sent like this',
    })),
  );
}
