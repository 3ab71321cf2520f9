import { setTimeout as wait } from 'node:timers/promises';

import { askOnce, tableBytes } from '../database-server.mjs';
import { watchProjection } from '../projection.mjs';
import { stepsPerContext } from '../contenders/turns.mjs';

const log = new Set(['events', 'streams']);
const pollMs = 50;

/** (d) The size on disk of contexts of 100 steps, relative to the payload: the `output` members as JSON. */
export async function measureDisk({ build, server, outputs, contexts }) {
  const connectionString = await server.createDatabase('bench_disk');
  const module = await build.SharedContextModule.forRoot({ databaseUrl: connectionString });
  const application = await build.NestFactory.createApplicationContext(module, {
    logger: ['error'],
  });
  const service = application.get(build.SharedContextService).asAgent('architect');
  const projection = await watchProjection(connectionString);
  try {
    const empty = await sumsOf(connectionString);
    const payload = await fill(service, outputs, contexts);
    await projection.settle();
    await searched(connectionString);
    const sums = await sumsOf(connectionString);
    return {
      steps: contexts * stepsPerContext,
      payload,
      streams: sums.streams - empty.streams,
      readModels: sums.readModels - empty.readModels,
      tables: sums.tables,
    };
  } finally {
    await projection.close();
    await application.close();
  }
}

/** The search rows follow the read models: the size of a payload is known only once they exist. */
export async function searched(connectionString) {
  const behind = `select from throughline.contexts c
    left join throughline.search_places p using (workspace, context_id)
    where p.version is distinct from c.version limit 1`;
  while ((await askOnce(connectionString, behind)).length > 0) await wait(pollMs);
}

async function fill(service, outputs, contexts) {
  let payload = 0;
  const addContext = async (number) => {
    const { contextId } = await service.createContext({ title: `bench ${number}` });
    for (let step = 1; step <= stepsPerContext; step++) {
      const { output, bytes } = outputs[(number * stepsPerContext + step) % outputs.length];
      await service.addStepOutput(contextId, `step-${step}`, output);
      payload += bytes;
    }
  };
  await Promise.all(Array.from({ length: contexts }, (_, number) => addContext(number)));
  return payload;
}

async function sumsOf(connectionString) {
  const tables = await tableBytes(connectionString);
  const sum = (isIn) => tables.filter(isIn).reduce((total, { bytes }) => total + bytes, 0);
  return {
    tables: tables.toSorted((left, right) => right.bytes - left.bytes),
    streams: sum(({ name }) => log.has(name)),
    readModels: sum(({ name }) => !log.has(name)),
  };
}
