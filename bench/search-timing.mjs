// `npm run bench:search-timing`: an attacker with the key of a narrow audience searches for a word in hidden texts and
// for a word that does not occur, in pairs, and guesses from the times alone which is which.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { Pool } from 'undici';

import { buildIfStale } from '../apps/cli/bin/build.mjs';
import { asPerson } from './http-server.mjs';
import { describeMachine } from './machine.mjs';
import { keepResults } from './results-file.mjs';
import { quantile } from './statistics.mjs';
import { table } from './table.mjs';
import { withHttpServer } from './with-http-server.mjs';

const root = join(import.meta.dirname, '..');
const pairs = 1_000;
const contexts = 20;
const say = (line) => process.stderr.write(`${line}\n`);

await buildIfStale(root, { report: say });
const build = await realpath(join(root, 'dist'));
const machine = await describeMachine();
await withHttpServer({ build, name: 'timing', connections: 2 }, async (http) =>
  report(await attack(http)),
);

async function attack({ address }) {
  const pool = new Pool(address, { connections: 1 });
  const call = async (method, path, { body, headers = asPerson } = {}) => {
    const answer = await pool.request({
      ...{ method, path, headers: { ...headers, 'content-type': 'application/json' } },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  };
  say('filling ...');
  for (let n = 0; n < contexts; n++) {
    await call('POST', '/v1/contexts', { body: { contextId: `c-${n}` } });
    const text = n === 0 ? 'quokka note' : 'plain note';
    const output = { stepId: 's', output: text, visibility: 'working' };
    await call('POST', `/v1/contexts/c-${n}/step-outputs`, { body: output });
  }
  const { body: made } = await call('POST', '/v1/keys', {
    body: { role: 'agent', agentId: 'r', audiences: ['reviewer'] },
  });
  const headers = { authorization: `Bearer ${made.secret}` };
  await untilIndexed(call);
  const timed = async (word) => {
    const started = performance.now();
    const { status, body } = await call('GET', `/v1/contexts?q=${word}`, { headers });
    const took = performance.now() - started;
    if (status !== 200 || body.items.length > 0) throw new Error(`${status} for ${word}`);
    return took;
  };
  const samples = [];
  for (let n = 0; n < pairs; n++) {
    const first = Math.random() < 0.5;
    const one = await timed(first ? 'quokka' : 'absent');
    const other = await timed(first ? 'absent' : 'quokka');
    samples.push(first ? { hidden: one, absent: other } : { hidden: other, absent: one });
  }
  await pool.close();
  return samples;
}

async function untilIndexed(call) {
  for (;;) {
    const { body } = await call('GET', '/v1/contexts?q=note&limit=500');
    if (body.items.length === contexts) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The guess: the slower search of a pair is that of the hidden word. */
async function report(samples) {
  const right = samples.filter(({ hidden, absent }) => hidden > absent).length / samples.length;
  const row = (name, times) => [
    name,
    ...[0.1, 0.5, 0.9].map((part) => `${quantile(times, part).toFixed(2)} ms`),
  ];
  await keepResults(
    'Hidden texts and the time of a search',
    [
      '# Hidden texts and the time of a search',
      '',
      `An audience that sees no working notes searches for a word in those of one of ${contexts} contexts and for a word in none, in`,
      `${pairs} pairs, by \`npm run bench:search-timing\`. Guessing that the slower one of a pair is in hidden texts is right in`,
      `${(100 * right).toFixed(1)} % of them; the aim is less than 55 %.`,
      '',
      ...table(
        ['searched for', 'p10', 'p50', 'p90'],
        [
          row(
            'a word in hidden texts',
            samples.map(({ hidden }) => hidden),
          ),
          row(
            'a word in none',
            samples.map(({ absent }) => absent),
          ),
        ],
      ),
      '',
      `- Machine: ${machine.processor}, ${machine.memory}, ${machine.system}, Node ${machine.node}; load average ${machine.load} before the run.`,
    ].join('\n'),
  );
  say(`right in ${(100 * right).toFixed(1)} % of ${samples.length} pairs`);
}
