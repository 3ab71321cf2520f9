import { counted } from '../../ui/counted.js';

export type Partition = Readonly<{
  partition: number;
  position: string;
  events: number;
  owner: Readonly<{ instance: string; host: string; pid: number }> | null;
  appliedAt: string | null;
  failure: string | null;
}>;

/** A projection, as `GET /v1/projections` returns it. */
export type Projection = Readonly<{
  name: string;
  version: number;
  state: 'idle' | 'catching-up' | 'live' | 'stuck';
  reason: string;
  /** Null if there are too many events to count. */
  lagEvents: number | null;
  lagSeconds: number;
  deadLetters: number;
  rebuiltAt: string | null;
  partitions: readonly Partition[];
}>;

export function lagText({
  lagEvents,
  lagSeconds,
}: Pick<Projection, 'lagEvents' | 'lagSeconds'>): string {
  if (lagEvents === 0) return 'No lag: all events are applied';
  const events = lagEvents === null ? 'More than 1,000 events' : counted(lagEvents, 'event');
  const verb = lagEvents === 1 ? 'is' : 'are';
  return `${events} ${verb} not applied; the oldest waits for ${durationText(lagSeconds)}`;
}

const units = [
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A duration in its largest unit: `12 seconds`, `3 minutes`. */
export function durationText(seconds: number): string {
  for (const [unit, length] of units)
    if (seconds >= length) return counted(Math.round(seconds / length), unit);
  return counted(Math.round(seconds), 'second');
}
