import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type PageRequest, requestsOf } from './http-page.js';

/** The last section of a page has routes that are not part of a turn. */
const otherRoutes = '\n## Other routes\n';

/**
 * Expects that each turn of the agents in a page of docs/ is one read and one batch: the read is a document, a view or
 * a prompt, the batch is `POST .../events`. A refused batch stores nothing and may be followed by a changed one.
 */
export async function proveAgentTurns(name: string): Promise<void> {
  const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', name), 'utf8');
  const [scenario = ''] = page.split(otherRoutes);
  const agents = Map.groupBy(
    requestsOf(scenario).filter(({ agentId }) => agentId !== undefined),
    ({ agentId }) => agentId,
  );
  const turns = [...agents].map(([agentId, requests]) => ({
    agentId,
    places: requests.map(({ line }) => `docs/${name}:${line}`),
    kinds: requests.map(kindOf).join(' '),
  }));
  expect(turns.length).toBeGreaterThan(1);
  for (const turn of turns)
    expect(turn).toMatchObject({
      kinds: expect.stringMatching(/^(read (refused )*(batch|refused)( |$))+$/),
    });
}

function kindOf({ method, path, status }: PageRequest): string {
  const [, route = path] = /^\/v1\/contexts\/[^/?]+(.*)$/.exec(path) ?? [];
  if (method === 'GET' && /^(\/view)?(\?.*)?$/.test(route)) return 'read';
  if (method === 'POST' && route === '/prompt') return 'read';
  if (method === 'POST' && route === '/events') return status === 201 ? 'batch' : 'refused';
  return `${method} ${route}`;
}
