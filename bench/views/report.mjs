import { milliseconds } from '../aim.mjs';
import { aimLines, machineLines, othersLine, section, whole } from '../report-parts.mjs';
import { keepResults } from '../results-file.mjs';
import { table } from '../table.mjs';
import { judgeAims } from './aims.mjs';
import { figureLines, kindLines } from './figure-tables.mjs';
import { figuresOf, selected } from './figures.mjs';
import { notes } from './notes.mjs';

const title = 'Benchmark of the views';

/** Prints the results; a full run writes them to RESULTS.md, a quick one does not. */
export async function report(measured) {
  const { short, machine, given, content } = measured;
  const text = [
    `# ${title}`,
    '',
    `Written by \`npm run bench:views${short ? ' -- --short' : ''}\`, ${machine.date} UTC. Times of other machines will differ; what views keep will not.`,
    ...section('Aims', [...aimLines(judgeAims(measured)), ...othersLine(machine)]),
    ...content.flatMap(contentSections),
    ...section('Times of a view of 8,000 tokens', timeLines(measured)),
    ...section('Compared with LangGraph', langGraphLines(measured)),
    ...section('How it was measured', [
      ...notes(measured),
      '',
      ...machineLines({ ...measured, source: given.source }),
    ]),
    '',
  ].join('\n');
  process.stdout.write(text);
  if (!short) await keepResults(title, text);
}

function contentSections({ budget, measured }) {
  const halves = [
    ['All', () => true],
    ['The half that views were shaped on', ({ half }) => half === 'seen'],
    ['The half held out', ({ half }) => half === 'held out'],
  ];
  const lines = halves.flatMap(([name, isChosen]) => halfLines(name, selected(measured, isChosen)));
  return section(`What ${whole(budget)} tokens keep`, lines.slice(0, -1));
}

function halfLines(name, measured) {
  const figures = figuresOf(measured);
  return [
    `${name}, ${whole(figures.contexts)} contexts:`,
    '',
    ...figureLines(figures),
    '',
    ...kindLines(measured),
    '',
  ];
}

function timeLines({ rendering, application }) {
  const rows = [...rendering, ...application.cells].map(({ steps, what, tokens, p50, p99 }) => [
    what,
    ...[whole(steps), whole(tokens), milliseconds(p50), milliseconds(p99)],
  ]);
  return table(['', 'steps', 'tokens', 'p50', 'p99'], rows);
}

function langGraphLines({ application, langgraph }) {
  if (!langgraph) return ['LangGraph was not measured.'];
  const ours = application.cells
    .filter(({ what }) => ['read again', 'first after a restart'].includes(what))
    .map((cell) => {
      const { first, again } = application.bytes.find(({ steps }) => steps === cell.steps);
      const bytes = cell.what === 'read again' ? again : first;
      return [`Throughline, ${cell.what}`, cell.steps, cell.p50, cell.p99, bytes];
    });
  const theirs = langgraph.cells.map((cell) => {
    const { bytes } = langgraph.bytes.find(({ steps }) => steps === cell.steps);
    return [`LangGraph, ${cell.what}`, cell.steps, cell.p50, cell.p99, bytes];
  });
  return table(
    ['', 'steps', 'p50', 'p99', 'bytes from PostgreSQL'],
    [...ours, ...theirs]
      .sort((left, right) => left[1] - right[1])
      .map(([name, steps, p50, p99, bytes]) => [
        ...[name, whole(steps), milliseconds(p50), milliseconds(p99), whole(bytes)],
      ]),
  );
}
