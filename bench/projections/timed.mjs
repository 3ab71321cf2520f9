import { readProcessorTime } from '../processor-time.mjs';

/** Seconds, and milliseconds of processor time of the given process and of PostgreSQL. */
export async function timed({ server }, { pid }, work) {
  const before = readProcessorTime(server.postmaster, pid);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const after = readProcessorTime(server.postmaster, pid);
  const used = (part) => after[part] - before[part];
  const node = pid === undefined ? 'here' : 'other';
  return {
    seconds,
    processor: before && after && { node: used(node), database: used('database') },
  };
}
