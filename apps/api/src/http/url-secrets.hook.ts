import { type FastifyRequest } from 'fastify';

import { invalidInput } from '../problems/problem.error.js';

/** Names under which clients pass keys, however they are written. */
const secretNames: ReadonlySet<string> = new Set([
  ...['key', 'apikey', 'accesskey', 'secretkey', 'privatekey', 'throughlinekey'],
  ...['token', 'accesstoken', 'authtoken', 'bearertoken', 'apitoken', 'auth', 'authorization'],
  ...['bearer', 'secret', 'clientsecret', 'apisecret', 'password', 'passwd'],
]);

/** Whether a parameter of this name would hold a key: `access_token`, `accessToken`, `X-Api-Key`. No endpoint has one. */
export function isSecretName(name: string): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return secretNames.has(letters) || secretNames.has(letters.replace(/^x/, ''));
}

/** Refuses keys in URLs, whoever sends them and wherever: proxies and logs keep URLs, and `Referer` hands them on. */
export async function urlSecretsHook({ query }: FastifyRequest): Promise<void> {
  const given = Object.keys(Object(query)).filter(isSecretName);
  if (given.length === 0) return;
  throw invalidInput(
    given.map((name) => ({
      pointer: `/${name}`,
      detail:
        'no key is taken from a URL, which logs and proxies keep: send Authorization: Bearer <secret>, and replace a key that was sent like this',
    })),
  );
}
