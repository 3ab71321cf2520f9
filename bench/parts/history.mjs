import { startHttpServer } from '../http-server.mjs';
import { watchProjection } from '../projection.mjs';
import { median, quantile } from '../statistics.mjs';
import { addStepOutput, createContext } from './http.mjs';

const batchSize = 300;
const warmUps = 20;
/** Contexts of ten events get few appends each, since they would grow otherwise. */
const usesOfShort = 5;

/** (c) Append, one-step read and conditional write over HTTP in contexts of 10, 1,000 and 10,000 events. */
export async function measureHistory(given) {
  const connectionString = await given.server.createDatabase('bench_history');
  const http = await startHttpServer({ connectionString, connections: 4 });
  const projection = await watchProjection(connectionString);
  const fill = (events, copies) => fillContexts({ http, given, events, copies });
  try {
    const sizes = [
      {
        events: 10,
        contexts: await fill(10, Math.ceil((2 * (given.samples + warmUps)) / usesOfShort)),
      },
      { events: 1000, contexts: await fill(1000, 4) },
      { events: given.long, contexts: await fill(given.long, 1) },
    ];
    await projection.settle();
    return await measureSizes({ http, projection, given, sizes });
  } finally {
    await Promise.all([projection.close(), http.close()]);
  }
}

/** One request at a time; sizes and kinds take turns, so that noise affects all alike. */
async function measureSizes({ http, projection, given, sizes }) {
  const cells = sizes.flatMap((size) =>
    Object.entries(operations).map(([name, operation]) => ({
      size,
      name,
      operation,
      latencies: [],
    })),
  );
  for (let sample = -warmUps; sample < given.samples; sample++)
    for (const { size, operation, latencies } of cells) {
      const context = size.contexts[(size.turn = ((size.turn ?? -1) + 1) % size.contexts.length)];
      const output = given.outputs[(sample + warmUps) % given.outputs.length];
      const started = performance.now();
      await operation(http, context, output);
      if (sample >= 0) latencies.push(performance.now() - started);
      // Each request starts with current read models.
      if (operation !== operations['one-step read']) await projection.settle();
    }
  return cells.map(({ size, name, latencies }) => ({
    events: size.events,
    name,
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
  }));
}

const operations = {
  append: (http, context, output) => append(http, context, output),
  'one-step read': (http, { contextId, version }) => {
    const step = 1 + Math.floor(Math.random() * (version - 1));
    return http.call('GET', `/v1/contexts/${contextId}/step-outputs/step-${step}`);
  },
  'conditional write': (http, context, output) =>
    append(http, context, output, { 'if-match': `"${context.version}"` }),
};

async function append(http, context, output, headers) {
  await addStepOutput(http, context.contextId, `step-${context.version}`, output, headers);
  context.version += 1;
}

/** `events` includes the creation; step n is event n + 1. */
export async function fillContexts({ http, given, events, copies }) {
  const contexts = [];
  for (let copy = 0; copy < copies; copy++) {
    const contextId = `of-${events}-${copy}`;
    await createContext(http, contextId);
    for (let step = 1; step < events; step += batchSize)
      await addBatch(
        http,
        contextId,
        stepsFrom(step, Math.min(events, step + batchSize), given.outputs),
      );
    contexts.push({ contextId, version: events });
  }
  return contexts;
}

function stepsFrom(first, end, outputs) {
  return Array.from({ length: end - first }, (_, n) => ({
    type: 'StepOutputAdded',
    data: { stepId: `step-${first + n}`, output: outputs[(first + n) % outputs.length].output },
  }));
}

function addBatch(http, contextId, events) {
  return http.call('POST', `/v1/contexts/${contextId}/events`, JSON.stringify({ events }));
}
