import { machineLines, othersLine, section, whole } from '../report-parts.mjs';
import { keepResults } from '../results-file.mjs';
import { median, medianRatio, quantile, summarize } from '../statistics.mjs';
import { table } from '../table.mjs';
import { notes } from './notes.mjs';
import { overheadLines } from './overhead.mjs';
import { clients as httpClients } from './parts/servers.mjs';

const title = 'Benchmark of the event stores';
const scales = [1e3, 1e6, 1e9];

/** Prints the results; a full run writes them to RESULTS.md, a quick one does not. */
export async function report(measured) {
  const { quick, machine, given, sizes } = measured;
  const text = [
    `# ${title}`,
    '',
    `Written by \`npm run bench:stores${quick ? ' -- --quick' : ''}\`, ${machine.date} UTC. Figures of other machines will differ; the ratios, taken round by round, are comparable between machines.`,
    '',
    '**The stand-in is not a database:** it stores its log in memory and never writes to a disk. Its figures show the cost of adapter and client, not the speed of KurrentDB. PostgreSQL writes every append to disk before it answers; its lines and those of the stand-in must not be compared.',
    ...section("The adapter's own overhead", [
      ...overheadLines(measured, measured.given.serverUrl !== undefined),
      ...othersLine(machine),
    ]),
    ...section('(a) One append of one event of 2 KB', appendTable(measured.appends)),
    ...section('(b) Reads, one at a time', readTable(measured.reads)),
    ...section(
      `(c) Bytes an event, ${whole(sizes.events)} events of working agents`,
      sizeLines(sizes),
    ),
    ...section(
      `(d) One server and several over HTTP, ${httpClients} clients, all on this machine`,
      serverTable(measured.servers),
    ),
    ...section('How it was measured', [
      ...notes(given),
      '',
      ...machineLines({ ...measured, source: measured.payloads.source }),
    ]),
    '',
  ].join('\n');
  process.stdout.write(text);
  if (!quick) await keepResults(title, text);
}

function appendTable(slots) {
  const rows = [...slots].flatMap(([name, crowds]) =>
    [...crowds].map(([writers, rounds]) => {
      const { perSecond, slowest, fastest, p50, p99, processor } = summarize(rounds);
      return [
        writers === 1 ? '1 writer' : `${writers} writers`,
        name,
        whole(perSecond),
        `${whole(slowest)} to ${whole(fastest)}`,
        p50.toFixed(2),
        p99.toFixed(2),
        processor ? whole(processor.node * 1000) : '',
      ];
    }),
  );
  rows.sort((left, right) => Number.parseInt(left[0], 10) - Number.parseInt(right[0], 10));
  return table(['', '', 'appends/s', 'rounds', 'p50 ms', 'p99 ms', 'processor µs here'], rows);
}

function readTable(reads) {
  const rows = [...reads].flatMap(([read, readers]) =>
    [...readers].map(([name, rounds]) => {
      const latencies = rounds.flatMap((round) => round.latencies);
      return [
        read,
        name,
        whole(median(rounds.map(({ perSecond }) => perSecond))),
        quantile(latencies, 0.5).toFixed(1),
        quantile(latencies, 0.99).toFixed(1),
        median(rounds.map(({ processor }) => processor)).toFixed(1),
      ];
    }),
  );
  return table(['', '', 'events/s', 'p50 ms', 'p99 ms', 'processor µs an event here'], rows);
}

function sizeLines({ events, sizes, types, parts }) {
  const payload = sizes.reduce((sum, size) => sum + size, 0);
  const mix = [...types].toSorted(([, left], [, right]) => right - left);
  const share = mix.map(([type, count]) => `${type} ${Math.round((count / events) * 100)} %`);
  const rows = Object.entries(parts).map(([name, bytes]) => [
    name,
    whole(bytes / events),
    (bytes / payload).toFixed(2),
    ...scales.map((count) => inUnits((bytes / events) * count)),
  ]);
  const heads = ['', 'bytes an event', 'per payload byte', '10^3 events', '10^6', '10^9'];
  return [
    ...table(heads, rows),
    '',
    'The last three columns are computed from the first, not measured.',
    '',
    `Payloads of ${whole(payload / events)} bytes on average, median ${whole(median(sizes))}: ${share.join(', ')}. Tables vacuumed; an envelope of about 450 bytes is part of the log's rows.`,
  ];
}

/** Decimal units, as for disks. */
function inUnits(bytes) {
  const [unit, size] = [
    ['TB', 1e12],
    ['GB', 1e9],
    ['MB', 1e6],
    ['KB', 1e3],
  ].find(([, least]) => bytes >= least) ?? ['B', 1];
  return `${(bytes / size).toPrecision(3)} ${unit}`;
}

function serverTable(servers) {
  const alone = [...servers.values()][0];
  const rows = [...servers].map(([name, rounds]) => {
    const of = (part) => whole(median(rounds.map((round) => round[part].perSecond)));
    const p99 = quantile(
      rounds.flatMap(({ append }) => append.latencies),
      0.99,
    );
    const ratio = medianRatio(
      rounds.map(({ append }) => append),
      alone.map(({ append }) => append),
    );
    const worst = rounds
      .map(({ behind }) => behind)
      .toSorted((left, right) => right.events - left.events)[0];
    return [
      name,
      of('append'),
      `${ratio.toFixed(2)}x`,
      p99.toFixed(1),
      `${worst.events} events, ${whole(worst.milliseconds)} ms`,
      of('step'),
      of('document'),
      of('list'),
    ];
  });
  const heads = [
    ...['', 'appends/s', 'to 1 server', 'p99 ms', 'read models behind, then'],
    ...['one step, reads/s', 'document, reads/s', 'list, reads/s'],
  ];
  return table(heads, rows);
}
