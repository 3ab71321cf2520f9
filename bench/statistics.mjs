export function median(numbers) {
  return quantile(numbers, 0.5);
}

/** Nearest rank. */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** One contender at one number of clients, over all rounds. */
export function summarize(slots) {
  const latencies = slots.flatMap((slot) => slot.latencies);
  return {
    perSecond: median(slots.map((slot) => slot.perSecond)),
    slowest: Math.min(...slots.map((slot) => slot.perSecond)),
    fastest: Math.max(...slots.map((slot) => slot.perSecond)),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    processor: medianProcessor(slots),
  };
}

/** The ratio of adjacent rounds, so that common noise cancels out. */
export function medianRatio(left, right) {
  return median(left.map((slot, round) => slot.perSecond / right[round].perSecond));
}

function medianProcessor(slots) {
  if (slots.some(({ processor }) => processor === undefined)) return undefined;
  const of = (part) => median(slots.map(({ processor }) => processor[part]));
  return { node: of('node'), database: of('database') };
}
