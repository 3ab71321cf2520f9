import { machineLines, aimLines, othersLine, section, whole } from '../report-parts.mjs';
import { keepResults } from '../results-file.mjs';
import { median, quantile } from '../statistics.mjs';
import { table } from '../table.mjs';
import { asOfLines, delayLines, takeoverLines, transferLines } from './report-times.mjs';
import { judgeAims, medianSpeed, ratioOf } from './aims.mjs';
import { notes } from './notes.mjs';
import { ours, raw } from './parts/throughput.mjs';

const title = 'Benchmark of the read models';

/** Prints the results; a full run writes them to RESULTS.md, a quick one does not. */
export async function report(measured) {
  const { quick, machine, given } = measured;
  const text = [
    `# ${title}`,
    '',
    `Written by \`npm run bench:projections${quick ? ' -- --quick' : ''}\`, ${machine.date} UTC. Figures of other machines will differ; the ratios, taken round by round, are comparable between machines.`,
    ...section('Aims', [...aimLines(judgeAims(measured)), ...othersLine(machine)]),
    ...section(
      `(a) The read models of ${whole(given.events)} events, from nothing`,
      throughputLines(measured.throughput),
    ),
    ...section(
      `(b) From an acknowledged append to the list, ${given.appendsPerSecond} appends/s`,
      delayLines(measured.delay),
    ),
    ...section('(c) Takeover after kill -9', takeoverLines(measured.takeover)),
    ...section('(d) A context as of the middle of its history', asOfLines(measured.asOf, given)),
    ...section('(e) Walks over the whole log', transferLines(measured.transfer)),
    ...section('How it was measured', [
      ...notes(measured),
      '',
      ...machineLines({ ...measured, source: given.source }),
    ]),
    '',
  ].join('\n');
  process.stdout.write(text);
  if (!quick) await keepResults(title, text);
}

function throughputLines({ slots, filled }) {
  const rows = [...slots].map(([name, rounds]) => {
    const speeds = rounds.map(({ perSecond }) => perSecond);
    return [
      name,
      whole(medianSpeed(slots, name)),
      `${whole(Math.min(...speeds))} to ${whole(Math.max(...speeds))}`,
      processorOf(rounds),
      `${ratioOf(slots, name, raw.withIndexes).toFixed(2)}x`,
    ];
  });
  const heads = ['', 'events/s', 'rounds', 'processor µs: Node + PostgreSQL', 'to COPY'];
  return [...table(heads, rows), '', phasesLine(slots.get(ours.rebuild)), '', mixLine(filled)];
}

function processorOf(rounds) {
  if (rounds.some(({ processor }) => processor === undefined)) return '';
  const of = (part) =>
    whole(median(rounds.map(({ processor, events }) => (processor[part] * 1000) / events)));
  return `${of('node')} + ${of('database')}`;
}

function phasesLine(rounds) {
  const names = ['copying', 'indexing', 'comparing', 'switching'];
  const parts = names.map(
    (name) => `${name} ${median(rounds.map(({ phases }) => phases[name] ?? 0)).toFixed(1)} s`,
  );
  return `Phases of the rebuild, polled every 50 ms: ${parts.join(', ')}.`;
}

function mixLine({ events, sizes, types }) {
  const mix = [...types].toSorted(([, left], [, right]) => right - left);
  const share = mix.map(([type, count]) => `${type} ${Math.round((count / events) * 100)} %`);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / events;
  return `The events: ${share.join(', ')}; payloads of ${whole(mean)} bytes on average, median ${whole(median(sizes))}, p99 ${whole(quantile(sizes, 0.99))}, at most ${whole(Math.max(...sizes.slice(0, 100_000)))}.`;
}
