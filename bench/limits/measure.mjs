import { describeMachine } from '../machine.mjs';
import { quantile } from '../statistics.mjs';
import { withHttpServer } from '../with-http-server.mjs';
import { awkwardCases } from './cases.mjs';
import { clientOf } from './client.mjs';
import { fill } from './fill.mjs';
import { startProbe } from './probe.mjs';
import { reportLimits } from './report.mjs';
import { memoryOf } from './resident-memory.mjs';
import { casesOfRoutes } from './routes.mjs';

const restMs = 300;

/** Measures all cases on one server, and writes the results, unless only some cases were selected. */
export async function measureLimits({ build, only, say }) {
  const machine = await describeMachine();
  await withHttpServer({ build, name: 'limits', connections: 32 }, async (http) => {
    const client = clientOf(http);
    try {
      say('filling ...');
      await fill(client);
      const results = [];
      for (const each of chosenOf(await allCases(client), only)) {
        results.push(await measureCase(each, http, client));
        say(JSON.stringify(results.at(-1)));
      }
      if (only.length === 0) await reportLimits(results, machine);
    } finally {
      await client.close();
    }
  });
}

async function allCases(client) {
  return [...awkwardCases, ...casesOfRoutes(await client.readJson('/openapi.json'))];
}

function chosenOf(cases, only) {
  const isChosen = ({ route = '', name }) =>
    only.some((word) => name.includes(word) || route.includes(word));
  return only.length === 0 ? cases : cases.filter(isChosen);
}

async function measureCase({ route, name, prepare, send, times = 1 }, http, client) {
  await prepare?.(client);
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const rest = memoryOf(http.pid);
  await loopDelay(client);
  const probe = await startProbe(http);
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: times }, () => send(client)));
  const took = performance.now() - started;
  const { latencies, peak } = await probe.stop();
  return {
    ...{ route, name, took, bytes: answers[0].bytes },
    status: [...new Set(answers.map(({ status }) => status))].sort().join(', '),
    p99: quantile(latencies, 0.99),
    longest: latencies.reduce((most, each) => Math.max(most, each), 0),
    loop: await loopDelay(client),
    memory: Math.max(0, peak - rest),
  };
}

/** The longest delay of the event loop since the last call, in milliseconds; the server measures every 10 ms. */
async function loopDelay({ readText }) {
  const metrics = await readText('/metrics');
  return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1] ?? NaN);
}
