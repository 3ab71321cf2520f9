import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type ThroughlineServer } from '../throughline-server.js';
import { filesOf } from './console-page.js';

const tutorial = join(import.meta.dirname, '..', '..', '..', 'docs', 'what-your-agent-will-see.md');

/** The writes of the tutorial: the file with the body, the route, and the agent. */
const writes = [
  ['context.json', '/v1/contexts', undefined],
  ['design.json', '/v1/contexts/wish-lists/step-outputs', 'architect'],
  ['decision.json', '/v1/contexts/wish-lists/decisions', 'architect'],
  ['build.json', '/v1/contexts/wish-lists/step-outputs', 'builder'],
  ['handover.json', '/v1/contexts/wish-lists/handovers', 'builder'],
  ['review.json', '/v1/contexts/wish-lists/reviews', 'reviewer'],
] as const;

/**
 * Creates the context `wish-lists` in its state at the end of the tutorial about views, for the pages that continue
 * from there.
 */
export async function createTutorialContext(server: ThroughlineServer): Promise<void> {
  const files = new Map(
    filesOf(await readFile(tutorial, 'utf8')).map(({ name, text }) => [name, text]),
  );
  for (const [at, [file, path, agentId]] of writes.entries()) {
    const body: unknown = JSON.parse(files.get(file) ?? '');
    const key = agentId === undefined ? {} : { key: await server.key({ role: 'agent', agentId }) };
    const reply = await server.post(path, body, key);
    expect([file, reply.status, reply.body.version]).toEqual([file, 201, at + 1]);
  }
}
