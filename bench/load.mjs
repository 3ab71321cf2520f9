import { readProcessorTime } from './processor-time.mjs';

/** Closed loop: each client sends its next request after the answer to the last one. */
export async function runClients({ clients, milliseconds, request }) {
  const latencies = [];
  const started = performance.now();
  const end = started + milliseconds;
  const client = async (number) => {
    for (let now = performance.now(); now < end;) {
      await request(number);
      const answered = performance.now();
      latencies.push(answered - now);
      now = answered;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const elapsed = performance.now() - started;
  return { perSecond: (latencies.length / elapsed) * 1000, latencies };
}

/**
 * Gives each contender the same slots: round by round and number of clients by number of clients, with a different
 * first contender in each round. The first round is a warm-up and is discarded. `begin` and `settle` of a contender are
 * not measured.
 */
export async function measureInterleaved(given) {
  const { contenders, crowds, rounds, say } = given;
  const slots = new Map(contenders.map(({ name }) => [name, new Map(crowds.map((n) => [n, []]))]));
  for (let round = 0; round <= rounds; round++) {
    say(`  round ${round} of ${rounds}${round === 0 ? ' (warm-up)' : ''}`);
    for (const clients of crowds)
      for (const contender of rotated(contenders, round)) {
        const slot = await measureSlot(contender, clients, given);
        if (round > 0) slots.get(contender.name).get(clients).push(slot);
      }
  }
  return slots;
}

async function measureSlot(contender, clients, { server, milliseconds }) {
  const begun = await contender.begin?.(clients);
  const request = (number) => contender.request(number, begun);
  const before = readProcessorTime(server.postmaster, contender.server);
  const slot = await runClients({ clients, milliseconds, request });
  const settled = await contender.settle?.();
  const after = readProcessorTime(server.postmaster, contender.server);
  const processor = before && after && processorPerRequest(before, after, slot.latencies.length);
  return { ...slot, settled, processor };
}

function rotated(list, by) {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

/** In milliseconds. If a separate server does the work, the time of this process does not count. */
function processorPerRequest(before, after, requests) {
  const used = (part) => (after[part] - before[part]) / requests;
  const served = used('other');
  return { node: served > 0 ? served : used('here'), database: used('database') };
}
