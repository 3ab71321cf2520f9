import { measureInterleaved } from '../load.mjs';
import { openOurPort } from '../contenders/our-port.mjs';
import { openRewriteColumn } from '../contenders/rewrite-column.mjs';
import { crowds } from './appends.mjs';

export const rewriteSizes = [100, 400];

/**
 * (a) continued. Separate from the others: its writes keep the disk and the vacuum busy, which must not affect other
 * contenders. Our port runs for comparison.
 */
export async function measureRewrites(given) {
  const clients = Math.max(...crowds);
  const database = (name) => given.server.createDatabase(`bench_${name}`);
  const contenders = [
    await openOurPort({
      ...given,
      connectionString: await database('port_again'),
      name: 'Throughline, EventStore port',
    }),
  ];
  for (const steps of rewriteSizes)
    contenders.push(
      await openRewriteColumn({
        ...given,
        connectionString: await database(`rewrite_${steps}`),
        name: `rewrite one JSONB column, ${steps} steps`,
        clients,
        steps,
      }),
    );
  try {
    return await measureInterleaved({ ...given, contenders, crowds, rounds: given.rewriteRounds });
  } finally {
    for (const { close } of contenders) await close();
  }
}
