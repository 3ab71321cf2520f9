import { z } from 'zod';

import { contextPath } from '../server/demo-client.js';
import { type Cast } from './cast.js';
import { type Narrator } from './narrator.js';

const rounds = 25;

const stepOutput = z.object({ output: z.looseObject({ round: z.int() }), version: z.int() });

/**
 * One agent writes, and another one reads as soon as the write is acknowledged, repeatedly. Returns whether every read
 * returned the preceding write.
 */
export async function checkFreshReads(cast: Cast, narrator: Narrator): Promise<boolean> {
  narrator.act('No read is ever stale: one agent writes, another one reads immediately');
  const writer = cast['developer-api'].client;
  const reader = cast.reviewer.client;
  const stepId = 'load-test';
  let fresh = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const path = contextPath(narrator.contextId, 'step-outputs');
    const written = await writer.write({ path, body: { stepId, output: { round } } });
    const read = await reader.read(stepOutput, `${path}/${stepId}`);
    if (read.version === written.version && read.output.round === round) fresh += 1;
  }
  const list = await reader.send({ path: 'contexts?limit=1' });
  narrator.line(
    'reviewer',
    `read ${fresh} of ${rounds} outputs in the version just acknowledged to developer-api`,
  );
  narrator.line(
    '',
    `  lists of contexts may lag: this one lags by ${list.headers.get('x-projection-lag')} events`,
  );
  return fresh === rounds;
}
