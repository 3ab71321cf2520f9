import { parentPort, workerData } from 'node:worker_threads';

import { Pool } from 'undici';

import { memoryOf } from './resident-memory.mjs';

const pauseMs = 4;
const { address, key, pid } = workerData;
const pool = new Pool(address, { connections: 1 });
const latencies = [];
let peak = 0;
let isOver = false;
parentPort.once('message', () => (isOver = true));
await read();
parentPort.postMessage('started');
while (!isOver) {
  const started = performance.now();
  await read();
  latencies.push(performance.now() - started);
  peak = Math.max(peak, memoryOf(pid));
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
await pool.close();
parentPort.postMessage({ latencies, peak });

async function read() {
  const answer = await pool.request({
    ...{ method: 'GET', path: '/v1/contexts/small/step-outputs/s' },
    headers: { authorization: `Bearer ${key}` },
  });
  await answer.body.dump();
}
