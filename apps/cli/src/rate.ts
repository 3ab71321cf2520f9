/** Fewer events have no meaningful rate. */
const tooFew = 1_000;

/** `in 1.2 s, 12,300 events/s`; without a rate for few events. */
export function describeRate(events: number, seconds: number): string {
  const time = `in ${seconds.toFixed(1)} s`;
  if (events < tooFew) return time;
  return `${time}, ${Math.round(events / seconds).toLocaleString('en-US')} events/s`;
}

/** `1 stream`, `2,000 streams`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
