import { takeTurns } from '../../contenders/turns.mjs';
import { measureInterleaved } from '../../load.mjs';
import { openContenders } from '../contenders.mjs';
import { eventSource } from '../events.mjs';

export const crowds = [1, 16, 64];

/** (a) One event of 2 KB an append, on the exact version, by 1, 16 and 64 writers. */
export async function measureAppends(given) {
  const { contenders, close } = await openContenders(given, 'bench_store_appends');
  try {
    const writers = contenders.map((contender, number) => asWriter(contender, number, given));
    return await measureInterleaved({ ...given, contenders: writers, crowds });
  } finally {
    await close();
  }
}

function asWriter({ name, append }, number, { outputs }) {
  const next = takeTurns(`context-default:bench-${number}`);
  const nextEvent = eventSource(outputs);
  return {
    name,
    request: (client) => {
      const { context, step } = next(client);
      return append(context, [nextEvent()], step - 1);
    },
  };
}
