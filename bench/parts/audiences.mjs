import { asPerson, startHttpServer } from '../http-server.mjs';
import { watchProjection } from '../projection.mjs';
import { median, quantile } from '../statistics.mjs';

const perRound = 20;

/** (g) The same document for several audiences: the cost of the visibility filter, and its savings. */
export async function measureAudiences(given) {
  const connectionString = await given.server.createDatabase('bench_audiences');
  const http = await startHttpServer({ connectionString, connections: 2 });
  const projection = await watchProjection(connectionString);
  try {
    const contexts = { recorded: 'record', mixed: 'working' };
    for (const [contextId, failures] of Object.entries(contexts))
      await fill(http, given, contextId, failures);
    await projection.settle();
    const cells = reads.map((read) => ({ ...read, latencies: [], bytes: 0 }));
    for (let sample = -5; sample < given.audienceSamples; sample++)
      for (const cell of cells) {
        const path = `/v1/contexts/${cell.contextId}?audience=${cell.audience}`;
        const started = performance.now();
        const text = await http.call('GET', path, undefined, asPerson);
        if (sample >= 0) cell.latencies.push(performance.now() - started);
        cell.bytes = Buffer.byteLength(text);
      }
    return cells.map(({ name, bytes, latencies }) => ({
      ...{ name, bytes, p50: median(latencies), p99: quantile(latencies, 0.99) },
    }));
  } finally {
    await Promise.all([projection.close(), http.close()]);
  }
}

const reads = [
  read('all', 'recorded', 'all'),
  read('retrospective, which sees every event of it', 'recorded', 'retrospective'),
  read('developer', 'recorded', 'developer'),
  read('reviewer', 'recorded', 'reviewer'),
  read('retrospective, of steps whose failures are working notes', 'mixed', 'retrospective'),
];

function read(name, contextId, audience) {
  return { name, contextId, audience };
}

/** 1,001 events: rounds of steps with failures and outputs, decisions, artifacts and requirements. */
async function fill(http, given, contextId, failures) {
  await http.call('POST', '/v1/contexts', JSON.stringify({ contextId, title: 'Audiences' }));
  for (let round = 0; round < 50; round++) {
    const events = Array.from({ length: perRound / 5 }, (_, n) => {
      const id = `${round}-${n}`;
      const { output } = given.outputs[(round * perRound + n) % given.outputs.length];
      return [
        { type: 'StepFailed', data: { stepId: id, reason: 'broken' }, visibility: failures },
        { type: 'StepOutputAdded', data: { stepId: id, output } },
        { type: 'DecisionRecorded', data: { decision: `d ${id}`, rationale: 'it is there' } },
        { type: 'ArtifactReferenced', data: { artifactId: id, artifactType: 'source', path: id } },
        { type: 'RequirementRecorded', data: { requirementId: id, kind: 'functional', text: id } },
      ];
    }).flat();
    await http.call('POST', `/v1/contexts/${contextId}/events`, JSON.stringify({ events }));
  }
}
