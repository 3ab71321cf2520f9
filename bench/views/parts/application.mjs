import { QueryBus } from '@nestjs/cqrs';

import { watchProjection } from '../../projection.mjs';
import { fillDatabase } from '../../projections/parts/filled-log.mjs';
import { quantile } from '../../statistics.mjs';
import { openCountingProxy } from '../counting-proxy.mjs';
import { sampleInTurn } from '../latencies.mjs';
import { longContext, stepOf } from '../long-context.mjs';

const warmUps = 3;

/** Views as a server renders them, in this process, without HTTP: repeated, after one more step, after a restart. */
export async function measureApplication(given) {
  const connectionString = await given.databases.create('views');
  await fillDatabase(given, connectionString, histories(given));
  const projection = await watchProjection(connectionString);
  try {
    const application = await open(given, connectionString);
    await projection.settle();
    const warm = await sampleInTurn(warmCells(given, application), given.samples, warmUps);
    const grown = grownCells(given, application, projection);
    const after = await sampleInTurn(grown, given.samples, warmUps);
    await application.close();
    const first = await firstReads(given, connectionString);
    const bytes = await bytesRead(given, connectionString);
    return { connectionString, cells: [...warm, ...after, ...first].map(told), bytes };
  } finally {
    await projection.close();
  }
}

function told({ answer, ...cell }) {
  const { tokens, stablePrefixTokens, text } = answer;
  return { ...cell, tokens, stablePrefixTokens, length: Buffer.byteLength(text) };
}

function warmCells({ steps, budget }, application) {
  const run = (count) => () => application.view(count, budget);
  return steps.map((count) => ({ steps: count, what: 'read again', run: run(count) }));
}

/** Each read follows an added step, once the read models are current. */
function grownCells({ steps, budget, texts }, application, projection) {
  const readers = [
    { what: 'after one more step', audience: 'all' },
    { what: 'the same, for a developer', audience: 'developer' },
  ];
  let added = 0;
  const kinds = readers.flatMap((reader) => steps.map((count) => ({ ...reader, count })));
  return kinds.map(({ what, audience, count }) => ({
    ...{ steps: count, what },
    prepare: async () => {
      added += 1;
      await application.add(stepOf({ contextId: idOf(count), step: count + added, texts }));
      await projection.settle();
    },
    run: () => application.view(count, budget, audience),
  }));
}

/** The first read of a process, for a new process each time. */
async function firstReads(given, connectionString) {
  const cells = given.steps.map((steps) => ({ steps, what: 'first after a restart', all: [] }));
  for (let round = 0; round < given.restarts; round++)
    for (const cell of cells) {
      const application = await open(given, connectionString);
      const started = performance.now();
      cell.answer = await application.view(cell.steps, given.budget);
      cell.all.push(performance.now() - started);
      await application.close();
    }
  return cells.map(({ all, ...cell }) => ({
    ...{ ...cell, p50: quantile(all, 0.5), p99: quantile(all, 0.99) },
  }));
}

/** The bytes from PostgreSQL for one view, the first of a process and the next one. */
async function bytesRead(given, connectionString) {
  const measured = [];
  for (const steps of given.steps) {
    const proxy = await openCountingProxy(connectionString);
    const application = await open(given, proxy.connectionString);
    await application.view(given.steps[0], 1_000);
    proxy.taken();
    await application.view(steps, given.budget);
    const first = proxy.taken();
    await application.view(steps, given.budget);
    measured.push({ steps, first, again: proxy.taken() });
    await application.close();
    await proxy.close();
  }
  return measured;
}

async function open({ build }, databaseUrl) {
  const { NestFactory, SharedContextModule, SharedContextService, FindViewQuery } = build;
  const module = await SharedContextModule.forRoot({ databaseUrl });
  const application = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  const service = application.get(SharedContextService);
  const queries = application.get(QueryBus, { strict: false });
  return {
    view: (steps, maxTokens, audience = 'all') =>
      queries.execute(
        new FindViewQuery({
          ...{ principal, contextId: idOf(steps), audience, maxTokens },
          overflow: 'minimum',
        }),
      ),
    add: ({ contextId, agent, data }) =>
      service.asAgent(agent).addStepOutput(contextId, data.stepId, data.output),
    close: () => application.close(),
  };
}

const principal = {
  ...{ name: 'application', role: 'operator', isRoot: false, workspace: 'default', keyId: null },
  ...{ agentId: null, audiences: ['all'], actsFor: ['*'], contexts: null, workflows: null },
  expiresAt: null,
};

function* histories({ steps, texts, decisions }) {
  for (const count of steps)
    yield* longContext({ contextId: idOf(count), steps: count, texts, decisions });
}

function idOf(steps) {
  return `of-${steps}`;
}
