import { startHttpServer, asPerson } from '../http-server.mjs';
import { watchProjection } from '../projection.mjs';
import { median } from '../statistics.mjs';
import { commandKinds } from './command-kinds.mjs';
import { fillContexts } from './history.mjs';

const warmUps = 3;
/** Contexts of ten events get few appends each, since they would grow otherwise. */
const usesOfShort = 4;

/** (e) Every kind of command over HTTP, in contexts of 10, 1,000 and 10,000 events. */
export async function measureCommands(given) {
  const connectionString = await given.server.createDatabase('bench_commands');
  const http = await startHttpServer({ connectionString, connections: 4 });
  const projection = await watchProjection(connectionString);
  const fill = (events, copies) => fillContexts({ http, given, events, copies });
  const requests = commandKinds.reduce((sum, { before }) => sum + 1 + before.length, 0);
  const rounds = given.commandSamples + warmUps;
  try {
    const sizes = [
      { events: 10, contexts: await fill(10, Math.ceil((requests * rounds) / usesOfShort)) },
      { events: 1000, contexts: await fill(1000, 4) },
      { events: given.long, contexts: await fill(given.long, 1) },
    ];
    await projection.settle();
    return await measureKinds({ http, projection, given, sizes, rounds });
  } finally {
    await Promise.all([projection.close(), http.close()]);
  }
}

/** One request at a time; sizes and kinds take turns, so that noise affects all alike. */
async function measureKinds({ http, projection, given, sizes, rounds }) {
  const cells = commandKinds.flatMap((kind) =>
    sizes.map((size) => ({ kind, size, latencies: [] })),
  );
  let number = 0;
  for (let round = 0; round < rounds; round++)
    for (const { kind, size, latencies } of cells) {
      const { contextId } = nextContext(size);
      const payload = given.outputs[number % given.outputs.length];
      const n = number++;
      for (const before of kind.before) await append(http, contextId, before(n, payload));
      await projection.settle();
      const body = kind.asked(n, payload);
      const started = performance.now();
      await append(http, contextId, body, kind.person ? asPerson : {});
      if (round >= warmUps) latencies.push(performance.now() - started);
      await projection.settle();
    }
  return cells.map(({ kind, size, latencies }) => ({
    name: kind.name,
    events: size.events,
    p50: median(latencies),
  }));
}

function nextContext(size) {
  size.turn = (size.turn ?? -1) + 1;
  return size.contexts[size.turn % size.contexts.length];
}

function append(http, contextId, event, headers = {}) {
  const body = JSON.stringify({ events: [event] });
  return http.call('POST', `/v1/contexts/${contextId}/events`, body, headers);
}
