import { setTimeout as pause } from 'node:timers/promises';

import { asPerson } from '../http-server.mjs';
import { memoryOf } from '../limits/resident-memory.mjs';
import { processorTimeOf } from '../processor-time.mjs';
import { median, quantile } from '../statistics.mjs';
import { table } from '../table.mjs';
import { withHttpServer } from '../with-http-server.mjs';
import { StreamReaders } from './stream-readers.mjs';

const levels = [1, 100, 2_000];
const betweenMs = 250;

/** The time from the request of an append to the event at the readers of one context, and the memory of a stream. */
export async function measureStreams({ build, quick, say }) {
  const appends = quick ? 10 : 100;
  const most = String(Math.max(...levels) + 100);
  const env = { THROUGHLINE_STREAMS_PER_KEY: most };
  const options = { build, name: 'streams', connections: 4, env };
  const rows = await withHttpServer(options, async (http) => {
    const measured = [];
    for (const readers of levels) {
      say(`streams: ${readers} readers ...`);
      measured.push(await measureLevel(http, { readers, appends }));
    }
    return measured;
  });
  return [
    '## (a) Live streams of one context',
    '',
    ...table(
      [
        'readers',
        'append, p50',
        'to a reader, p50',
        'p99',
        'to the last reader, p50',
        'processor time',
        'memory of a stream',
      ],
      rows.map(shown),
    ),
    '',
    `- ${appends} appends of 100 bytes, one every ${betweenMs} ms, by one writer; the readers are connections of the same process as the writer. Times are from the beginning of the request to the bytes at a reader, over all appends and readers. Server, PostgreSQL, writer and readers share the processors.`,
    '- Processor time is the time that the server uses from one append to the next, read models included.',
    '- Memory is the growth of the resident size of the server and its workers when the streams are opened, including sockets and requests and excluding buffers of the kernel.',
  ];
}

async function measureLevel(http, { readers, appends }) {
  const contextId = `streams-${readers}`;
  await http.call('POST', '/v1/contexts', JSON.stringify({ contextId }));
  const before = memoryOf(http.pid);
  const streams = await StreamReaders.open(readers, {
    address: http.address,
    path: `/v1/contexts/${contextId}/stream`,
    headers: asPerson,
  });
  // Collects garbage now, so that collections do not occur between the appends.
  await pause(2_000);
  const memory = ((memoryOf(http.pid) - before) * 1024) / readers;
  const [answered, arrived, last] = [[], [], []];
  const spent = processorTimeOf(http.pid);
  for (let n = 0; n < appends; n++) {
    const began = performance.now();
    const all = streams.next();
    const body = JSON.stringify({ stepId: 's', output: `${n}`.padEnd(100, 'x') });
    await http.call('POST', `/v1/contexts/${contextId}/step-outputs`, body);
    answered.push(performance.now() - began);
    const times = (await all).map((at) => at - began);
    arrived.push(...times);
    last.push(Math.max(...times));
    await pause(betweenMs);
  }
  const processor = (processorTimeOf(http.pid) - spent) / appends;
  streams.close();
  return { readers, answered, arrived, last, processor, memory };
}

function shown({ readers, answered, arrived, last, processor, memory }) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  return [
    readers.toLocaleString('en'),
    ms(median(answered)),
    ms(median(arrived)),
    ms(quantile(arrived, 0.99)),
    ms(median(last)),
    ms(processor),
    readers < 100 ? '' : `${memory.toFixed(0)} KiB`,
  ];
}
