import { aimLines, machineLines, othersLine, section, whole } from '../report-parts.mjs';
import { keepResults } from '../results-file.mjs';
import { median } from '../statistics.mjs';
import { table } from '../table.mjs';
import { judgeAims } from './aims.mjs';
import { ours } from './contenders.mjs';
import { depthRatio, perStep, ratioOfRounds, spread } from './figures.mjs';
import { notes } from './notes.mjs';
import { branches } from './parts/parallel.mjs';

const title = 'Benchmark of durable runs';

/** Prints the results; a full run writes them to RESULTS.md, a quick one does not. */
export async function report(measured) {
  const { quick, machine, plan } = measured;
  const text = [
    `# ${title}`,
    '',
    `Written by \`npm run bench:workflows${quick ? ' -- --quick' : ''}\`, ${machine.date} UTC. Figures of other machines will differ; the ratios, taken round by round, are comparable between machines.`,
    ...section('Aims', [...aimLines(judgeAims(measured)), ...othersLine(machine)]),
    ...section('(a) Compared with DBOS and LangGraph', contenderTable(measured.contenders, plan)),
    ...section('(b) One step after another in one run', depthTable(measured.longRun)),
    ...section(`(c) ${branches} branches at once`, parallelTable(measured.parallel)),
    ...section('(d) Recovery after kill -9', recoveryTable(measured.recovery)),
    ...section('How it was measured', [
      ...notes(measured),
      '',
      ...machineLines({ ...measured, source: measured.payloads.source }),
    ]),
    '',
  ].join('\n');
  process.stdout.write(text);
  if (!quick) await keepResults(title, text);
}

function contenderTable(slots, { crowd }) {
  const rows = [...slots].map(([name, rounds]) => {
    const { p50, p99 } = spread(rounds.map(({ latencies }) => latencies));
    const times = rounds.map(perStep);
    return [
      name,
      median(times).toFixed(2),
      `${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)}`,
      p50.toFixed(2),
      p99.toFixed(2),
      `${ratioOfRounds(slots, name, ours.loop, perStep).toFixed(2)}x`,
      whole(median(rounds.map((round) => round.crowd))),
      processorOf(rounds),
      whole(median(rounds.map(({ bytes }) => bytes))),
    ];
  });
  return table(
    [
      ...['', 'ms for a step', 'rounds', 'p50', 'p99', `to ${ours.loop}`, `steps/s, ${crowd} runs`],
      ...['processor µs: Node + PostgreSQL', 'bytes on disk'],
    ],
    rows,
  );
}

function processorOf(rounds) {
  if (rounds.some(({ processor }) => processor === undefined)) return '';
  const of = (part) => whole(median(rounds.map(({ processor }) => processor[part] * 1000)));
  return `${of('node')} + ${of('database')}`;
}

function depthTable(cells) {
  const [first] = cells.keys();
  const rows = [...cells].map(([depth, turns]) => {
    const { p50, p99 } = spread(turns);
    return [
      `step ${whole(depth)}`,
      whole(turns.flat().length),
      p50.toFixed(2),
      p99.toFixed(2),
      `${depthRatio(cells, depth, first).toFixed(2)}x`,
    ];
  });
  return table(
    ['from scheduled to completed', 'steps', 'p50 ms', 'p99 ms', `to step ${first}`],
    rows,
  );
}

function parallelTable(cells) {
  const rows = [...cells].map(([visit, slots]) => {
    const { p50, p99 } = spread(slots.map(({ latencies }) => latencies));
    return [
      `step ${whole(visit * branches)}`,
      whole(slots.length * branches),
      p50.toFixed(1),
      p99.toFixed(1),
      median(slots.map((slot) => slot.perStep)).toFixed(2),
    ];
  });
  return table(['from scheduled to completed', 'steps', 'p50 ms', 'p99 ms', 'ms for a step'], rows);
}

function recoveryTable(recoveries) {
  const line = (name, of, show) => {
    const values = recoveries.map((one) => one[of]);
    return [name, show(median(values)), show(Math.max(...values))];
  };
  const ms = (value) => `${value.toFixed(1)} ms`;
  return table(
    [
      `${recoveries.length} kills behind ${whole(recoveries[0].steps - 1)} steps or more`,
      'median',
      'longest',
    ],
    [
      line('from the claim to the first step stored', 'claimMs', ms),
      line('of it, from the start of the attempt', 'attemptMs', ms),
      line('from the kill to the first step stored', 'killMs', ms),
    ],
  );
}
