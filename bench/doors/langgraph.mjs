// A LangGraph graph of 100 steps on our saver and on the savers of LangGraph for PostgreSQL and SQLite, in one run.
// Alone: `node bench/doors/langgraph.mjs [--quick]`.
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { buildIfStale } from '../../apps/cli/bin/build.mjs';
import { openPool } from '../connections.mjs';
import { openServer, tableBytes } from '../database-server.mjs';
import { startHttpServer } from '../http-server.mjs';
import { median } from '../statistics.mjs';
import { table } from '../table.mjs';
import { loadAdapter, loadPackage } from './adapter.mjs';
import { graphs } from './langgraph-graphs.mjs';
import { openSqliteDatabase } from './sqlite-database.mjs';

const root = join(import.meta.dirname, '../..');
const steps = 100;

/** The wall-clock time of a graph (median of the rounds) and the bytes on disk; returns lines of Markdown. */
export async function measureLangGraph({ build, say, quick = false }) {
  const rounds = quick ? 1 : 5;
  const database = await import(pathToFileURL(join(build, 'libs/database/src/index.js')).href);
  const server = await openServer(database);
  const directory = await mkdtemp(join(tmpdir(), 'throughline-bench-langgraph-'));
  const opened = [];
  try {
    opened.push(await openOurs(server));
    opened.push(await openPostgres(server));
    opened.push(await openSqlite(directory));
    const results = [];
    for (const [name, makeGraph] of Object.entries(graphs))
      results.push(...(await measureGraph({ name, makeGraph, contenders: opened, rounds, say })));
    return report(results, rounds);
  } finally {
    for (const { close } of opened) await close();
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function report(results, rounds) {
  const rows = results.map(({ graph, contender, milliseconds, bytes }) => [
    graph,
    contender,
    `${(milliseconds / steps).toFixed(2)} ms`,
    `${Math.round(bytes / steps).toLocaleString('en')} B`,
  ]);
  return [
    `## (d) A LangGraph graph of ${steps} steps`,
    '',
    ...table(['graph', 'saver', 'a step', 'on disk, a step'], rows),
    '',
    `The median of ${rounds} rounds in turns; PostgreSQL is the same server for both. Our bytes are those of all tables, read models and search included.`,
  ];
}

/** Contenders take turns, so that the load of other processes affects all of them. */
async function measureGraph({ name, makeGraph, contenders, rounds, say }) {
  const graph = await loadPackage('@langchain/langgraph').then(makeGraph);
  for (const { saver } of contenders) await run(graph, saver, 10, `${name} warm-up`);
  const times = contenders.map(() => []);
  const before = await Promise.all(contenders.map(({ bytes }) => bytes()));
  for (let round = 0; round < rounds; round++)
    for (const [at, { saver, name: contender }] of contenders.entries()) {
      times[at].push(await run(graph, saver, steps, `${name} ${round}`));
      say(`bench: ${name}, ${contender}: ${Math.round(times[at].at(-1))} ms`);
    }
  const after = await Promise.all(contenders.map(({ bytes }) => bytes()));
  return contenders.map(({ name: contender }, at) => ({
    ...{ graph: name, contender, milliseconds: median(times[at]) },
    bytes: (after[at] - before[at]) / rounds,
  }));
}

async function run(graph, checkpointer, count, thread) {
  const compiled = graph.compile({ checkpointer });
  const started = performance.now();
  const config = { recursionLimit: count + 10, configurable: { thread_id: thread } };
  const result = await compiled.invoke({ until: count }, config);
  if (result.count !== count) throw new Error(`the graph took ${result.count} steps`);
  return performance.now() - started;
}

async function openOurs(server) {
  const connectionString = await server.createDatabase('ours');
  const http = await startHttpServer({ connectionString, connections: 2 });
  const { Throughline, ThroughlineSaver } = await loadAdapter(root);
  const client = new Throughline({ url: http.address, key: http.key });
  return {
    name: 'Throughline, over HTTP',
    saver: new ThroughlineSaver({ client }),
    bytes: async () => {
      await projected(http);
      return databaseBytes(connectionString);
    },
    close: http.close,
  };
}

async function openPostgres(server) {
  const connectionString = await server.createDatabase('langgraph');
  const { PostgresSaver } = await loadPackage('@langchain/langgraph-checkpoint-postgres');
  const saver = new PostgresSaver(openPool(connectionString, 10));
  await saver.setup();
  return {
    ...{ name: 'PostgresSaver', saver },
    bytes: () => databaseBytes(connectionString),
    close: () => saver.end(),
  };
}

async function openSqlite(directory) {
  const { SqliteSaver } = await loadPackage('@langchain/langgraph-checkpoint-sqlite');
  const file = join(directory, 'checkpoints.db');
  const database = openSqliteDatabase(file);
  const saver = new SqliteSaver(database);
  return {
    ...{ name: 'SqliteSaver, on node:sqlite', saver },
    bytes: async () => {
      database.pragma('wal_checkpoint(TRUNCATE)');
      return (await stat(file)).size;
    },
    close: async () => database.close(),
  };
}

async function databaseBytes(connectionString) {
  const tables = await tableBytes(connectionString);
  return tables.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Waits until the read models are current. */
async function projected(http) {
  for (;;) {
    const { headers } = await http.answer('GET', '/v1/contexts?limit=1');
    if (headers['x-projection-lag'] === '0') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

if (process.argv[1] === import.meta.filename) {
  const say = (line) => process.stderr.write(`${line}\n`);
  await buildIfStale(root, { report: say });
  const build = await realpath(join(root, 'dist'));
  const lines = await measureLangGraph({ build, say, quick: process.argv.includes('--quick') });
  process.stdout.write(`${lines.join('\n')}\n`);
}
