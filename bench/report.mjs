import { crowd, historyRatio, judgeAims } from './aims.mjs';
import { notes } from './notes.mjs';
import { payloadBytes } from './payloads.mjs';
import { aimLines, machineLines, othersLine, section, whole } from './report-parts.mjs';
import { keepResults } from './results-file.mjs';
import { medianRatio, summarize } from './statistics.mjs';
import { table } from './table.mjs';

const title = 'Benchmark results';
const raw = 'raw insert';

/** Prints the results; a full run writes them to RESULTS.md, a quick one does not. */
export async function report(measured) {
  const text = [
    `# ${title}`,
    '',
    `Written by \`npm run bench${measured.quick ? ' -- --quick' : ''}\`, ${measured.machine.date} UTC. Figures of other machines will differ; the ratios, taken round by round, are comparable between machines.`,
    ...section('Aims', [...aimLines(judgeAims(measured)), ...othersLine(measured.machine)]),
    ...section('(a) One durable append of 2 KB', loadTable(measured.appends.slots)),
    ...rewriteSection(measured.rewrites),
    ...section('(b) The same through HTTP', loadTable(measured.http)),
    ...section(
      '(c) Contexts of 10, 1,000 and 10,000 events, over HTTP, one client',
      historyTable(measured.history),
    ),
    ...section('(d) Bytes on disk per payload byte', diskTables(measured)),
    ...section('(e) Every kind of command, in contexts of 10, 1,000 and 10,000 events', [
      ...commandTable(measured.commands),
    ]),
    ...section(
      `(f) Inbox, lists and searches over ${whole(measured.overview.contexts)} contexts`,
      latencyTable(measured.overview.cells),
    ),
    ...section(
      '(g) One document of 1,001 events, as audiences read it',
      audienceTable(measured.audiences),
    ),
    ...section('How it was measured', [
      ...notes(measured),
      '',
      ...machineLines({ ...measured, source: measured.payloads.source }),
    ]),
    '',
  ].join('\n');
  process.stdout.write(text);
  if (!measured.quick) await keepResults(title, text);
}

function loadTable(slots) {
  const rows = [...slots].flatMap(([name, crowds]) =>
    [...crowds].map(([clients, rounds]) => {
      const { perSecond, slowest, fastest, p50, p99, processor } = summarize(rounds);
      const baseline = slots.get(raw)?.get(clients);
      return [
        crowd(clients),
        name,
        whole(perSecond),
        `${whole(slowest)} to ${whole(fastest)}`,
        p50.toFixed(2),
        p99.toFixed(2),
        processor ? microseconds(processor) : '',
        baseline ? `${medianRatio(rounds, baseline).toFixed(2)}x` : '',
        behind(rounds),
      ];
    }),
  );
  // Sorted by number of clients, so that comparable rows are adjacent.
  rows.sort((left, right) => Number.parseInt(left[0], 10) - Number.parseInt(right[0], 10));
  const isProjected = rows.some((row) => row[8] !== '');
  const heads = [
    'clients',
    '',
    'appends/s',
    'rounds',
    'p50 ms',
    'p99 ms',
    'processor µs: Node + PostgreSQL',
    'to raw insert',
    'read models behind, then',
  ];
  const columns = isProjected ? 9 : slots.has(raw) ? 8 : 7;
  return table(
    heads.slice(0, columns),
    rows.map((row) => row.slice(0, columns)),
  );
}

/** The lag of the projector at the end of a slot, and the time to catch up: the worst round. */
function behind(rounds) {
  const settled = rounds.flatMap((round) => round.settled ?? []);
  const worst = settled.toSorted((left, right) => right.events - left.events)[0];
  return worst ? `${worst.events} events, ${whole(worst.milliseconds)} ms` : '';
}

function microseconds({ node, database }) {
  return `${whole(node * 1000)} + ${whole(database * 1000)}`;
}

function rewriteSection(rewrites) {
  return [
    '',
    'The original design: rewriting one JSONB column for every step. It is measured separately because its writes disturb others. The speed of our port, measured in the same part, does not depend on the size of the context:',
    '',
    ...loadTable(rewrites),
  ];
}

function historyTable(history) {
  const names = [...new Set(history.map(({ name }) => name))];
  const sizes = [...new Set(history.map(({ events }) => events))];
  const cell = (name, events) => {
    const { p50, p99 } = history.find((entry) => entry.name === name && entry.events === events);
    return `${p50.toFixed(2)} / ${p99.toFixed(2)}`;
  };
  return table(
    [
      'p50 / p99 in ms',
      ...sizes.map((events) => `${events.toLocaleString('en')} events`),
      '10,000 : 10 (p50)',
    ],
    names.map((name) => [
      name,
      ...sizes.map((events) => cell(name, events)),
      `${historyRatio(history, name).toFixed(2)}x`,
    ]),
  );
}

function commandTable(commands) {
  const names = [...new Set(commands.map(({ name }) => name))];
  const p50 = (name, events) =>
    commands.find((cell) => cell.name === name && cell.events === events).p50;
  return table(
    ['p50 in ms', '10 events', '1,000', '10,000', '1,000 : 10', '10,000 : 10'],
    names.map((name) => [
      name,
      ...[10, 1000, 10_000].map((events) => p50(name, events).toFixed(2)),
      ...[1000, 10_000].map((events) => `${(p50(name, events) / p50(name, 10)).toFixed(2)}x`),
    ]),
  );
}

function latencyTable(cells) {
  return table(
    ['', 'p50 ms', 'p99 ms'],
    cells.map(({ name, p50, p99 }) => [name, p50.toFixed(2), p99.toFixed(2)]),
  );
}

function audienceTable(cells) {
  const [{ p50: whole50 }] = cells;
  return table(
    ['', 'bytes', 'p50 ms', 'p99 ms', 'to all (p50)'],
    cells.map(({ name, bytes, p50, p99 }) => [
      name,
      whole(bytes),
      ...[p50, p99].map((value) => value.toFixed(2)),
      `${(p50 / whole50).toFixed(2)}x`,
    ]),
  );
}

function diskTables({ disk, appends }) {
  const share = (bytes) => (bytes / disk.payload).toFixed(2);
  const biggest = disk.tables.slice(0, 4).map(({ name, bytes }) => `${name} ${share(bytes)}`);
  return [
    ...table(
      ['Throughline', 'bytes per payload byte'],
      [
        ['streams alone', share(disk.streams)],
        ['read models', share(disk.readModels)],
        ['together', share(disk.streams + disk.readModels)],
      ],
    ),
    '',
    `${whole(disk.steps)} step outputs of ${payloadBytes} bytes; tables with their indexes: ${biggest.join(', ')}.`,
    '',
    'The databases of part (a) after the run, for comparison:',
    '',
    ...table(
      ['', 'steps stored', 'bytes per payload byte'],
      appends.disk.map(({ name, steps, bytes }) => [
        name,
        whole(steps),
        (bytes / steps / payloadBytes).toFixed(2),
      ]),
    ),
  ];
}
