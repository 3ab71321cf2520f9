import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { asPerson } from '../http-server.mjs';
import { median, quantile } from '../statistics.mjs';
import { table } from '../table.mjs';
import { withHttpServer } from '../with-http-server.mjs';

const contextId = 'overhead';

/**
 * The time of a request of the SDK in addition to the same request with fetch: one client, one request at a time, in
 * turns.
 */
export async function measureSdk({ build, quick, say }) {
  const { Throughline } = await import(
    pathToFileURL(join(build, 'packages/sdk/src/index.js')).href
  );
  const pairs = quick ? 50 : 1_000;
  const rows = await withHttpServer({ build, name: 'sdk', connections: 2 }, async (http) => {
    say('sdk: beside fetch ...');
    const key = asPerson.authorization.replace('Bearer ', '');
    const context = new Throughline({ url: http.address, key }).context(contextId);
    await http.call('POST', '/v1/contexts', JSON.stringify({ contextId }));
    const write = () => ({ stepId: 's', output: 'x'.repeat(100) });
    return [
      await measurePair('read of one step output', pairs, {
        fetch: () => bare(http, 'GET', '/step-outputs/s'),
        sdk: () => context.steps.get('s'),
      }),
      await measurePair('append of 100 bytes', pairs, {
        fetch: () => bare(http, 'POST', '/step-outputs', write()),
        sdk: () => context.steps.complete('s', write().output),
      }),
    ];
  });
  return [
    '## SDK compared with fetch',
    '',
    ...table(
      [
        'request',
        'fetch, p50',
        'SDK, p50',
        'SDK - fetch, p50',
        'fetch, p99',
        'SDK, p99',
        'processor time a request: fetch',
        'SDK',
      ],
      rows,
    ),
    '',
    `- ${pairs} requests of each kind in turns, in one process, on one connection at a time. fetch parses the JSON of answers and sends an Idempotency-Key with writes, as the SDK does. Processor time is that of the client's process.`,
  ];
}

async function bare({ address }, method, path, body) {
  const answer = await fetch(`${address}/v1/contexts/${contextId}${path}`, {
    method,
    headers: {
      ...asPerson,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.json();
}

async function measurePair(name, count, ways) {
  const times = { fetch: [], sdk: [] };
  const spent = { fetch: 0, sdk: 0 };
  for (let n = 0; n < count; n++)
    for (const way of n % 2 === 0 ? ['fetch', 'sdk'] : ['sdk', 'fetch']) {
      const used = process.cpuUsage();
      const began = performance.now();
      await ways[way]();
      times[way].push(performance.now() - began);
      const { user, system } = process.cpuUsage(used);
      spent[way] += user + system;
    }
  const ms = (value) => `${value.toFixed(2)} ms`;
  const us = (value) => `${Math.round(value / count)} µs`;
  const [fetched, sent] = [median(times.fetch), median(times.sdk)];
  return [
    ...[name, ms(fetched), ms(sent), ms(sent - fetched)],
    ...[ms(quantile(times.fetch, 0.99)), ms(quantile(times.sdk, 0.99))],
    ...[us(spent.fetch), us(spent.sdk)],
  ];
}
