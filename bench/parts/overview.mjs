import { setTimeout as wait } from 'node:timers/promises';

import { asPerson, startHttpServer } from '../http-server.mjs';
import { watchProjection } from '../projection.mjs';
import { median, quantile } from '../statistics.mjs';

const agents = 50;
const writers = 8;
const pollMs = 100;
const rareEvery = 1000;

/** (f) The inbox of an agent, lists and searches over many contexts, one request at a time. */
export async function measureOverview(given) {
  const connectionString = await given.server.createDatabase('bench_overview');
  const http = await startHttpServer({ connectionString, connections: writers });
  const projection = await watchProjection(connectionString);
  try {
    await fill(http, given);
    await projection.settle();
    await searchable(http);
    const { nextCursor } = JSON.parse(await http.call('GET', '/v1/contexts?limit=500'));
    const latencies = new Map(Object.keys(requests).map((name) => [name, []]));
    for (let sample = 0; sample < given.overviewSamples; sample++)
      for (const [name, request] of Object.entries(requests)) {
        const started = performance.now();
        await request(http, { sample, nextCursor });
        latencies.get(name).push(performance.now() - started);
      }
    return {
      contexts: given.overviewContexts,
      cells: [...latencies].map(([name, all]) => ({
        name,
        p50: median(all),
        p99: quantile(all, 0.99),
      })),
    };
  } finally {
    await Promise.all([projection.close(), http.close()]);
  }
}

const list = (http, query) => http.call('GET', `/v1/contexts?${new URLSearchParams(query)}`);

const requests = {
  'inbox of one agent of 50': (http, { sample }) =>
    http.call('GET', `/v1/agents/agent-${sample % agents}/inbox?status=open`, undefined, asPerson),
  'list, first 50': (http) => list(http, {}),
  'list, 50 behind 500': (http, { nextCursor }) => list(http, { cursor: nextCursor }),
  'list of open ones of one parent': (http, { sample }) =>
    list(http, { status: 'open', parent: `overview-${sample % 10}` }),
  'search, a word in one of 1,000 contexts': (http, { sample }) =>
    list(http, { q: `rare${sample % 5}` }),
  'search, a word in every tenth context': (http, { sample }) =>
    list(http, { q: `tenth${sample % 10}` }),
  'search, a word in every context': (http) => list(http, { q: 'checkout' }),
  'containment in metadata, every tenth context': (http, { sample }) =>
    list(http, { contains: JSON.stringify({ metadata: { team: `team-${sample % 10}` } }) }),
};

/** Contexts with a step output, a handover and, in every tenth, a blocker. */
async function fill(http, { overviewContexts, outputs }) {
  let next = 0;
  const write = async () => {
    while (next < overviewContexts) {
      const n = next++;
      const contextId = `overview-${n}`;
      const rare = n % rareEvery < 5 ? ` rare${n % rareEvery}` : '';
      await http.call(
        'POST',
        '/v1/contexts',
        JSON.stringify({
          contextId,
          title: `Checkout of shop ${n}, tenth${n % 10}${rare}`,
          metadata: { team: `team-${n % 10}`, number: n },
          ...(n >= 10 && { parent: `overview-${n % 10}` }),
        }),
      );
      const events = [
        {
          type: 'StepOutputAdded',
          data: { stepId: 'design', output: outputs[n % outputs.length].output },
        },
        {
          type: 'HandoverNoted',
          data: { to: `agent-${n % agents}`, note: 'Begin with the schema.' },
        },
        ...(n % 10 === 0 ? [{ type: 'BlockerRaised', data: { description: 'no access' } }] : []),
      ];
      await http.call('POST', `/v1/contexts/${contextId}/events`, JSON.stringify({ events }));
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

/** Searches report their own lag. */
async function searchable(http) {
  for (;;) {
    const { headers } = await http.answer('GET', '/v1/contexts?q=checkout&limit=1');
    if (headers['x-projection-lag'] === '0') return;
    await wait(pollMs);
  }
}
