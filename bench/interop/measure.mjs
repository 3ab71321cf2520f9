import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';

import { asPerson } from '../http-server.mjs';
import { describeMachine } from '../machine.mjs';
import { keepResults } from '../results-file.mjs';
import { median, quantile } from '../statistics.mjs';
import { table } from '../table.mjs';
import { withHttpServer } from '../with-http-server.mjs';
import { logLines, readImports } from './documents.mjs';

const title = 'Benchmark of documents in and out';
const mebibyte = 1_048_576;
const launcher = join(import.meta.dirname, '../..', 'apps/cli/bin/throughline.mjs');

export async function measureInterop({ build, data, isQuick, logMib, say }) {
  const machine = await describeMachine();
  const imports = readImports(data);
  const rounds = isQuick ? 1 : 3;
  say('reading and writing documents ...');
  const pure = await measureFormats({ build, imports, rounds });
  const { served, beside, log } = await withHttpServer(
    { build, name: 'bench_interop', connections: 16 },
    async (http) => {
      say('documents over HTTP ...');
      const overHttp = await measureServed(http, imports, { isQuick });
      say('small reads during large imports ...');
      const besideImports = await measureBeside(http);
      say('a log of an agent ...');
      const logged = await measureLog(http, (isQuick ? 16 : logMib) * mebibyte);
      return { served: overHttp, beside: besideImports, log: logged };
    },
  );
  const text = [
    `# ${title}`,
    '',
    '## (a) Formats alone: read',
    '',
    ...table(['format', 'documents', 'KB', 'read/s', 'KB/s'], pure),
    '',
    '## (b) Over HTTP, 8 clients: imported as new contexts, exported, imported again',
    '',
    ...table(['format', 'contexts', 'events', 'in/s', 'out/s', 'again/s'], served),
    '',
    '## (c) A small read during imports of 4 MiB, one after another',
    '',
    ...table(['', 'p50 ms', 'p99 ms', 'longest ms'], beside),
    '',
    '## (d) A log of an agent at the command line',
    '',
    ...table(['', ''], log),
    '',
    '## How it was measured',
    '',
    '`npm run bench:interop`. Documents are real ones (stories, decision records, conversations with tools). (a) is one process without',
    'a server, medians of three rounds. In (b) each import creates a separate context; "again" sends the same document once more, which',
    'appends nothing. (c) reads one step of another context ten times while stories of 4 MiB are imported, in a worker. (d) is',
    'one command `throughline import --apply` with a file that was made for it; memory is the peak of resident pages (VmHWM).',
    '',
    `- Machine: ${machine.processor}, ${machine.memory}, ${machine.system}, Node ${machine.node}; load average ${machine.load} before the run.`,
    '',
  ].join('\n');
  process.stdout.write(text);
  if (!isQuick) await keepResults(title, text);
}

async function measureFormats({ build, imports, rounds }) {
  const { documentFormats } = await import(
    pathToFileURL(join(build, 'libs/interop/src/index.js')).href
  );
  return Object.entries(imports).map(([name, lists]) => {
    const { read } = documentFormats.find((format) => format.name === name);
    const documents = lists.flat().length;
    const bytes = lists.flat().reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    for (const list of lists) read(list, {});
    const seconds = median(
      Array.from({ length: rounds }, () => {
        const started = performance.now();
        for (const list of lists) read(list, {});
        return (performance.now() - started) / 1000;
      }),
    );
    return [
      ...[name, String(documents), (bytes / 1000).toFixed(0)],
      ...[(documents / seconds).toFixed(0), (bytes / 1000 / seconds).toFixed(0)],
    ];
  });
}

async function measureServed(http, imports, { isQuick }) {
  const rows = [];
  for (const [format, lists] of Object.entries(imports)) {
    const chosen = lists.slice(0, isQuick ? 8 : lists.length);
    let events = 0;
    const send = async (list, at) => {
      const answer = await importOf(http, format, list, `${format}-${at}`);
      events += answer.contexts[0].imported;
    };
    const contexts = chosen.length;
    const incoming = await timed(chosen, send);
    const stored = events;
    const outgoing = await timed(chosen, (_, at) =>
      format === 'trajectory-jsonl'
        ? http.call('GET', `/v1/contexts/${format}-${at}/export?format=report-markdown`)
        : http.call('GET', `/v1/contexts/${format}-${at}/export?format=${format}`),
    );
    const again = await timed(chosen, send);
    if (events !== stored && format !== 'trajectory-jsonl')
      throw new Error(`${format}: imports that were repeated stored ${events - stored} events`);
    const rate = (seconds) => (contexts / seconds).toFixed(1);
    rows.push([format, String(contexts), String(stored), ...[incoming, outgoing, again].map(rate)]);
  }
  return rows;
}

/** Runs eight at a time; returns the seconds. */
async function timed(list, work) {
  const started = performance.now();
  let next = 0;
  const run = async () => {
    while (next < list.length) {
      const at = next++;
      await work(list[at], at);
    }
  };
  await Promise.all(Array.from({ length: 8 }, run));
  return (performance.now() - started) / 1000;
}

async function importOf(http, format, list, contextId) {
  const isBundle = list.length > 1;
  const isLines = isBundle || format === 'trajectory-jsonl';
  const text = isBundle ? list.map((one) => `${JSON.stringify(one)}\n`).join('') : list[0].text;
  const query = new URLSearchParams({ format, as: contextId });
  if (!isBundle) query.set('name', list[0].name);
  const answer = await http.call('POST', `/v1/imports?${query}`, text, {
    ...asPerson,
    'content-type': isLines ? 'application/x-ndjson' : 'text/markdown',
  });
  return JSON.parse(answer);
}

async function measureBeside(http) {
  await http.call('POST', '/v1/contexts', JSON.stringify({ contextId: 'beside' }));
  const output = JSON.stringify({ stepId: 'one', output: { text: 'x'.repeat(2_000) } });
  await http.call('POST', '/v1/contexts/beside/step-outputs', output);
  const alone = await readWhile(http, 200, () => undefined);
  const story = `# Story\n\n## Tasks\n${'- [ ] Build it\n'.repeat(280_000)}`;
  let at = 0;
  const beside = await readWhile(http, 200, async () => {
    const list = [{ name: 'large.md', text: story.slice(0, 4 * mebibyte) }];
    await importOf(http, 'story-markdown', list, `large-${at++}`);
  });
  const row = (name, latencies) => [
    name,
    ...[quantile(latencies, 0.5), quantile(latencies, 0.99), Math.max(...latencies)].map((ms) =>
      ms.toFixed(1),
    ),
  ];
  return [row('alone', alone), row('during imports', beside)];
}

/** Latencies of reads at a constant rate while other work runs in a loop. */
async function readWhile(http, reads, work) {
  let isOver = false;
  const working = (async () => {
    while (!isOver) if ((await work()) === undefined) await pause(1);
  })();
  const latencies = [];
  for (let at = 0; at < reads; at++) {
    const started = performance.now();
    await http.call('GET', '/v1/contexts/beside/step-outputs/one');
    latencies.push(performance.now() - started);
    await pause(20);
  }
  isOver = true;
  await working;
  return latencies;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function measureLog(http, bytes) {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-bench-interop-'));
  try {
    const file = join(directory, 'agent.jsonl');
    await pipeline(Readable.from(logLines(bytes)), createWriteStream(file));
    const started = performance.now();
    const peak = await importFile(http, file);
    const seconds = (performance.now() - started) / 1000;
    const mb = bytes / mebibyte;
    return [
      ['size of the file', `${mb} MiB`],
      ['checked and imported', `${(mb / seconds).toFixed(1)} MiB/s`],
      ['memory of the command', `${peak} MB`],
      ['memory of the server', `${peakOf(http.pid)} MB`],
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function importFile({ address }, file) {
  const key = asPerson.authorization.replace('Bearer ', '');
  const args = ['import', file, '--format', 'trajectory-jsonl', '--apply', '--as', 'agent-log'];
  const child = spawn(process.execPath, [launcher, ...args], {
    env: { PATH: process.env.PATH, THROUGHLINE_URL: address, THROUGHLINE_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, peakOf(child.pid) ?? 0)), 200);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`the import ended with code ${code}`);
  return peak;
}

/** The peak memory of a process in MB; undefined if the system does not report it. */
function peakOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
    // A process that has ended but was not reaped has a status without memory.
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}
