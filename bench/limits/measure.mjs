import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Pool } from 'undici';

import { openServer } from '../database-server.mjs';
import { asPerson, startHttpServer } from '../http-server.mjs';
import { describeMachine } from '../machine.mjs';
import { quantile } from '../statistics.mjs';
import { cases, word } from './cases.mjs';
import { reportLimits } from './report.mjs';

const probePauseMs = 4;
const restMs = 500;

/** Measures every case on one server, and writes the results. */
export async function measureLimits({ build, only, say }) {
  const machine = await describeMachine();
  const database = await import(pathToFileURL(join(build, 'libs/database/src/index.js')).href);
  const server = await openServer(database);
  try {
    const connectionString = await server.createDatabase('limits');
    const http = await startHttpServer({ connectionString, connections: 32 });
    try {
      const client = clientOf(http);
      await fill(client, say);
      const chosen = cases.filter(
        ({ name }) => only.length === 0 || only.some((word) => name.includes(word)),
      );
      const results = [];
      for (const each of chosen) {
        results.push(await measureCase(each, http, client));
        say(JSON.stringify(results.at(-1)));
      }
      if (only.length === 0) await reportLimits(results, machine);
    } finally {
      await http.close();
    }
  } finally {
    await server.close();
  }
}

function clientOf({ address, key }) {
  const pool = new Pool(address, { connections: 64 });
  const send = async (method, path, text, headers) => {
    const answer = await pool.request({
      ...{ method, path, body: text ?? null },
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...{ headersTimeout: 0, bodyTimeout: 0 },
    });
    const body = await answer.body.arrayBuffer();
    return { status: answer.statusCode, bytes: body.byteLength, headers: answer.headers };
  };
  const json = { 'content-type': 'application/json' };
  const call = (method, path, body, headers) =>
    send(method, path, body === undefined ? undefined : JSON.stringify(body), {
      ...json,
      ...headers,
    });
  return {
    call,
    post: (path, body) => call('POST', path, body),
    callText: (path, text, type) => send('POST', path, text, { ...asPerson, 'content-type': type }),
    version: async (id) =>
      /\d+/.exec(
        (await call('GET', `/v1/contexts/${id}/events?limit=1`)).headers.etag ?? '',
      )?.[0] ?? String(await versionOf(pool, key, id)),
  };
}

async function versionOf(pool, key, id) {
  const answer = await pool.request({
    ...{ method: 'GET', path: `/v1/contexts/${id}` },
    headers: { authorization: `Bearer ${key}` },
  });
  return (await answer.body.json())._version;
}

async function fill({ post }, say) {
  say('filling ...');
  for (const contextId of ['plain', 'small', 'names', 'large'])
    await post('/v1/contexts', { contextId });
  await post('/v1/contexts/small/step-outputs', { stepId: 's', output: 1 });
  for (let n = 0; n < 30; n++)
    await post('/v1/contexts/names/step-outputs', {
      stepId: `step-${n}`,
      output: Array.from(
        { length: 30_000 },
        (_, file) => `src/${word(12)}${n}/file-${file}.ts`,
      ).join('\n'),
    });
  for (let from = 0; from < 20_000; from += 500)
    await post('/v1/contexts/large/events', {
      events: Array.from({ length: 500 }, (_, n) => ({
        type: 'StepOutputAdded',
        data: {
          stepId: `step-${from + n}`,
          output: { text: `step number ${from + n} ${'came to this. '.repeat(70)}` },
        },
      })),
    });
}

async function measureCase({ name, send, times = 1 }, { pid, address, key }, client) {
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const rest = memoryOf(pid);
  const probe = startProbe(address, key, pid);
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: times }, () => send(client)));
  const took = performance.now() - started;
  const { latencies, peak } = await probe.stop();
  return {
    name,
    status: [...new Set(answers.map(({ status }) => status))].sort().join(', '),
    took,
    bytes: answers[0].bytes,
    p99: quantile(latencies, 0.99),
    longest: Math.max(...latencies),
    memory: Math.max(0, peak - rest),
    peak,
  };
}

/** Reads a small context again and again, and watches the memory of the server and its children. */
function startProbe(address, key, pid) {
  const pool = new Pool(address, { connections: 1 });
  const latencies = [];
  let peak = 0;
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const started = performance.now();
      const answer = await pool.request({
        ...{ method: 'GET', path: '/v1/contexts/small/step-outputs/s' },
        headers: { authorization: `Bearer ${key}` },
      });
      await answer.body.dump();
      latencies.push(performance.now() - started);
      peak = Math.max(peak, memoryOf(pid));
      await new Promise((resolve) => setTimeout(resolve, probePauseMs));
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await done;
      await pool.close();
      return { latencies, peak };
    },
  };
}

/** Resident megabytes of a process and of the workers it has started. */
function memoryOf(pid) {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && parentOf(name) === pid,
  );
  return [String(pid), ...children].reduce((sum, each) => sum + residentOf(each), 0);
}

function parentOf(pid) {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function residentOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readIfThere(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
