import { startHttpServer } from '../../http-server.mjs';
import { watchProjection } from '../../projection.mjs';
import { median, quantile } from '../../statistics.mjs';
import { agentWork } from '../agent-work.mjs';
import { fillDatabase } from './filled-log.mjs';

const warmUps = 2;
/** The steps of a context with a document of constant size. */
const steadySteps = 100;

/** Two kinds of history: repeated replacement, and growth. */
export const steady = `${steadySteps} steps, done again and again`;
export const growing = 'new steps all the time';

/** Reads of a context in the middle of its history, over HTTP, one at a time, with sizes and reads in turn. */
export async function measureAsOf(given) {
  const connectionString = await given.databases.create('as_of');
  const contexts = given.histories.flatMap((events) =>
    [steady, growing].map((kind) => ({
      ...{ kind, events, contextId: `${kind === steady ? 'steady' : 'growing'}-${events}` },
    })),
  );
  await fillDatabase(given, connectionString, histories(given, contexts));
  const http = await startHttpServer({ connectionString, connections: 2 });
  const projection = await watchProjection(connectionString);
  try {
    await projection.settle();
    for (const context of contexts) await findMiddle(http, context);
    // Reads take turns within a group; small answers are separate from large ones, whose garbage is collected later.
    const grown = contexts.filter(({ kind }) => kind === growing);
    const groups = [
      [contexts, stepReads],
      [contexts.filter(({ kind }) => kind === steady), documentReads],
      ...grown.map((context) => [[context], documentReads]),
    ];
    const measured = [];
    for (const [read, ways] of groups)
      measured.push(...(await measureReads(given, http, read, ways)));
    return measured;
  } finally {
    await Promise.all([projection.close(), http.close()]);
  }
}

const documentReads = {
  'document at a version': ({ contextId, version }) => `${contextId}?asOf=${version}`,
  'document at a time': ({ contextId, time }) => `${contextId}?asOf=${time}`,
};

const stepReads = {
  'one step at a version': ({ contextId, stepId, version }) =>
    `${contextId}/step-outputs/${stepId}?asOf=${version}`,
  'one step at a time': ({ contextId, stepId, time }) =>
    `${contextId}/step-outputs/${stepId}?asOf=${time}`,
};

async function measureReads({ samples }, http, contexts, reads) {
  const cells = contexts.flatMap((context) =>
    Object.entries(reads).map(([read, pathOf]) => ({
      ...{ context, read, path: `/v1/contexts/${pathOf(context)}`, latencies: [], bytes: 0 },
    })),
  );
  for (let sample = -warmUps; sample < samples; sample++)
    for (const cell of cells) {
      const started = performance.now();
      cell.bytes = (await http.call('GET', cell.path)).length;
      if (sample >= 0) cell.latencies.push(performance.now() - started);
    }
  return cells.map(({ context: { kind, events }, read, bytes, latencies }) => ({
    ...{ kind, events, read, bytes },
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
  }));
}

/** The middle of the history: the version, its time, and a step with an output at that version. */
async function findMiddle(http, context) {
  context.version = Math.floor(context.events / 2);
  const path = `/v1/contexts/${context.contextId}/events?limit=200&after=`;
  const { items } = JSON.parse(await http.call('GET', path + Math.max(context.version - 200, 0)));
  context.time = items.findLast(({ version }) => version <= context.version).recordedAt;
  const outputs = items.filter(({ type }) => type === 'StepOutputAdded');
  context.stepId = outputs.findLast(({ version }) => version <= context.version).data.stepId;
}

function* histories(given, contexts) {
  for (const { kind, events, contextId } of contexts)
    if (kind === steady) yield* steadyWork(given, contextId, events);
    else
      for (const event of agentWork({ ...given, events, contexts: 1 }))
        yield { ...event, contextId };
}

function* steadyWork({ texts }, contextId, events) {
  yield { contextId, agent: 'agent-0', type: 'ContextCreated', data: {} };
  for (let n = 1; n < events; n++) {
    const data = { stepId: `step-${n % steadySteps}`, output: texts[n % texts.length] };
    yield { contextId, agent: `agent-${n % 5}`, type: 'StepOutputAdded', data };
  }
}
