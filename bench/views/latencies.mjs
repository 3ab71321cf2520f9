import { quantile } from '../statistics.mjs';

/** One sample after another, in turn over everything that is compared, so that noise hits all alike. */
export async function sampleInTurn(cells, samples, warmUps) {
  for (const cell of cells) cell.latencies = [];
  for (let sample = -warmUps; sample < samples; sample++)
    for (const cell of cells) {
      await cell.prepare?.(sample);
      const started = performance.now();
      cell.answer = await cell.run(sample);
      if (sample >= 0) cell.latencies.push(performance.now() - started);
    }
  return cells.map(({ latencies, answer, prepare: _, run: __, ...rest }) => ({
    ...rest,
    ...{ answer, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
  }));
}
