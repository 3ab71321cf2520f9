import { quantile } from '../statistics.mjs';

/** Slow operations are measured fewer times, but at least this many times. */
const longestMs = 120_000;
const fewest = 5;

/** One sample at a time, in turn over all operations, so that noise affects all alike. */
export async function sampleInTurn(cells, samples, warmUps) {
  for (const cell of cells) cell.latencies = [];
  const began = performance.now();
  for (let sample = -warmUps; sample < samples; sample++) {
    if (sample >= fewest && performance.now() - began > longestMs) break;
    for (const cell of cells) {
      await cell.prepare?.(sample);
      const started = performance.now();
      cell.answer = await cell.run(sample);
      if (sample >= 0) cell.latencies.push(performance.now() - started);
    }
  }
  return cells.map(({ latencies, answer, prepare: _, run: __, ...rest }) => ({
    ...{ ...rest, answer, samples: latencies.length },
    ...{ p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
  }));
}
