/** Closed loop: every client sends its next request when the last one was answered. */
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
 * Gives every contender the same slots: round by round, crowd by crowd, each round beginning with another
 * contender. The first round warms up and is not kept. `begin` and `settle` of a contender are not measured.
 */
export async function measureInterleaved({ contenders, crowds, rounds, milliseconds, say }) {
  const slots = new Map(contenders.map(({ name }) => [name, new Map(crowds.map((n) => [n, []]))]));
  for (let round = 0; round <= rounds; round++) {
    say(`  round ${round} of ${rounds}${round === 0 ? ' (warm-up)' : ''}`);
    for (const clients of crowds)
      for (const contender of rotated(contenders, round)) {
        const slot = await measureSlot(contender, clients, milliseconds);
        if (round > 0) slots.get(contender.name).get(clients).push(slot);
      }
  }
  return slots;
}

async function measureSlot(contender, clients, milliseconds) {
  const begun = await contender.begin?.(clients);
  const request = (number) => contender.request(number, begun);
  const slot = await runClients({ clients, milliseconds, request });
  return { ...slot, settled: await contender.settle?.() };
}

function rotated(list, by) {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
