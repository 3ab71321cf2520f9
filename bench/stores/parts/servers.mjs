import { runClients } from '../../load.mjs';
import { addStepOutput, createContext } from '../../parts/http.mjs';
import { watchProjection } from '../../projection.mjs';
import { openDeployment } from '../deployment.mjs';

export const clients = 32;
const contexts = 256;
const stepsToRead = 20;
const warmUpMs = 500;

export const deployments = [
  { name: '1 server, keeps its read models', servers: 1, projectors: 0 },
  { name: '1 server, 1 projector', servers: 1, projectors: 1 },
  { name: '2 servers, 1 projector', servers: 2, projectors: 1 },
  { name: '2 servers, 2 projectors', servers: 2, projectors: 2 },
];

/** (d) The whole application over HTTP, by one process and by several, on one PostgreSQL and one machine. */
export async function measureServers(given) {
  const slots = new Map(deployments.map(({ name }) => [name, []]));
  for (let round = 1; round <= given.rounds; round++) {
    given.say(`  round ${round} of ${given.rounds}`);
    for (const deployment of round % 2 === 1 ? deployments : deployments.toReversed()) {
      const database = `bench_servers_${round}_${deployments.indexOf(deployment)}`;
      const connectionString = await given.server.createDatabase(database);
      slots.get(deployment.name).push(await measureOne(given, deployment, connectionString));
    }
  }
  return slots;
}

async function measureOne({ outputs, milliseconds }, deployment, connectionString) {
  const { serverOf, close } = await openDeployment({ ...deployment, connectionString, clients });
  const projection = await watchProjection(connectionString);
  const run = (request, forMs = milliseconds) =>
    runClients({ clients, milliseconds: forMs, request });
  try {
    const append = await prepare(serverOf, outputs);
    await run(append, warmUpMs);
    const stored = await run(append);
    const behind = await projection.settle();
    const reads = readsOf(serverOf);
    return {
      append: stored,
      behind,
      step: await run(reads.step),
      document: await run(reads.document),
      list: await run(reads.list),
    };
  } finally {
    await projection.close();
    await close();
  }
}

async function prepare(serverOf, outputs) {
  let sent = 0;
  const append = (client, contextId, stepId) =>
    addStepOutput(serverOf(client), contextId, stepId, outputs[sent++ % outputs.length]);
  for (let n = 0; n < contexts; n++) await createContext(serverOf(n), `context-${n}`);
  await createContext(serverOf(0), 'read');
  for (let n = 0; n < stepsToRead; n++) await append(n, 'read', `step-${n}`);
  let turn = 0;
  return (client) => append(client, `context-${turn % contexts}`, `step-${turn++}`);
}

function readsOf(serverOf) {
  const get = (path) => (client) => serverOf(client).call('GET', path);
  return {
    step: get('/v1/contexts/read/step-outputs/step-7'),
    document: get('/v1/contexts/read'),
    list: get('/v1/contexts?limit=50'),
  };
}
