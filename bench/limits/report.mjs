import { keepResults } from '../results-file.mjs';
import { table } from '../table.mjs';

const aimMs = 100;
const aimMb = 256;

/** Writes the table to RESULTS.md. */
export async function reportLimits(results, machine) {
  const rows = results.map(({ name, status, took, p99, longest, memory }) => [
    name,
    status,
    `${took.toFixed(0)} ms`,
    `${p99.toFixed(1)} ms`,
    `${longest.toFixed(0)} ms`,
    `${memory.toFixed(0)} MB`,
  ]);
  const met = (isMet) => `${results.filter(isMet).length} of ${results.length}`;
  const heads = ['request', 'status', 'took', 'p99 of another', 'longest of another', 'memory'];
  await keepResults(
    'Limits',
    [
      '# Limits',
      '',
      'The largest and the most awkward requests that are legal, one after another. *Another*: a client that reads one step',
      'output of a small context all the while. *Memory*: what the server and its workers took beyond what they had before,',
      'garbage included.',
      '',
      ...table(heads, rows),
      '',
      `Nobody waits longer than ${aimMs} ms: ${met(({ longest }) => longest <= aimMs)}. No request takes more than ${aimMb} MB: ${met(({ memory }) => memory <= aimMb)}.`,
      '',
      `- Machine: ${machine.processor}, ${machine.memory}, ${machine.system}, Node ${machine.node}; load average ${machine.load} before the run.`,
    ].join('\n'),
  );
}
