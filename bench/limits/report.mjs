import { keepResults } from '../results-file.mjs';
import { table } from '../table.mjs';

const aimMs = 100;
const aimMb = 256;

/** Writes the tables to RESULTS.md: each demanding request, and the slowest request of each route. */
export async function reportLimits(results, machine) {
  const awkward = results.filter(({ route }) => route === undefined);
  const byRoute = Map.groupBy(
    results.filter(({ route }) => route !== undefined),
    ({ route }) => route,
  );
  const met = (isMet) => `${results.filter(isMet).length} of ${results.length}`;
  await keepResults(
    'Limits',
    [
      '# Limits',
      '',
      'The largest and the most awkward requests that are legal, one after another, by `npm run bench:limits`. *Another*: a',
      'client that reads one step output of a small context all the while. *Event loop*: its longest delay in the process that',
      'answers everybody; it is measured every 10 ms, which are included. *Memory*: what the server and its workers took beyond',
      'what they had before, garbage included.',
      '',
      ...table(heads('request'), awkward.map(rowOf)),
      '',
      'The worst request of each route: on contexts with 20,000 step outputs, and with bodies that have as many entries,',
      'or as long texts, as a mebibyte holds. *getView* includes the view of each context that such a body was written to.',
      '',
      ...table(
        heads('route'),
        [...byRoute].map(([route, of]) => rowOf(worstOf(route, of))),
      ),
      '',
      `Aim: no request delays another client by more than ${aimMs} ms; ${met(({ longest }) => longest <= aimMs)} requests meet it. Aim: no request takes more than ${aimMb} MB; ${met(({ memory }) => memory <= aimMb)} meet it.`,
      '',
      `- Machine: ${machine.processor}, ${machine.memory}, ${machine.system}, Node ${machine.node}; load average ${machine.load} before the run.`,
    ].join('\n'),
  );
}

function heads(first) {
  return [first, 'status', 'took', 'p99 of another', 'longest of another', 'event loop', 'memory'];
}

function rowOf({ name, status, took, p99, longest, loop, memory }) {
  return [
    ...[name, status, `${took.toFixed(0)} ms`, `${p99.toFixed(1)} ms`],
    ...[`${longest.toFixed(0)} ms`, `${loop.toFixed(0)} ms`, `${memory.toFixed(0)} MB`],
  ];
}

function worstOf(route, results) {
  const most = (figure) => Math.max(...results.map((each) => each[figure]));
  return {
    ...{ name: route, took: most('took'), p99: most('p99'), longest: most('longest') },
    ...{ loop: most('loop'), memory: most('memory') },
    status: [...new Set(results.flatMap(({ status }) => status.split(', ')))].sort().join(', '),
  };
}
