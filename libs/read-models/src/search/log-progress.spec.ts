import fc from 'fast-check';

import { type Position, type StoredEvent } from '#event-sourcing';

import { partitionCount, partitionOf } from '../projector/partition.js';
import { type ReadModelState } from './search-lag.queries.js';
import {
  type LogProgress,
  afterLook,
  canContinue,
  passEvents,
  progressFrom,
} from './log-progress.js';

type Place = Position | 'start';

const countOf = (place: Place) => (place === 'start' ? 0 : Number(place));
const store = { comparePositions: (left: Place, right: Place) => countOf(left) - countOf(right) };
// Positions of this log are numbers.
const at = (position: number) => (position === 0 ? 'start' : (String(position) as Position));
const state = (positions: readonly number[]): ReadModelState => ({
  mark: '',
  rows: 'r',
  reached: new Map(positions.map((position, partition) => [partition, at(position)])),
});
const event = (position: number, stream: string): StoredEvent => ({
  eventId: '',
  type: 'T',
  data: '{}',
  metadata: '{}',
  version: 1,
  stream,
  position: at(position) as Position,
});
const everywhere = (position: number) => Array.from({ length: partitionCount }, () => position);
const countsOf = (events: readonly StoredEvent[]) =>
  events.map(({ position }) => countOf(position));

describe('following the log of a projection', () => {
  it('returns each event once, when its partition has reached it, and those of a stream in order', () => {
    const partition = fc.array(fc.nat(60), {
      minLength: partitionCount,
      maxLength: partitionCount,
    });
    fc.assert(
      fc.property(fc.array(partition, { minLength: 1, maxLength: 8 }), (looks) => {
        const log = Array.from({ length: 60 }, (_, n) => event(n + 1, `context-w:c-${n % 13}`));
        let reached = everywhere(0);
        let progress: LogProgress = progressFrom(store, state(reached));
        const seen: StoredEvent[] = [];
        for (const look of [...looks, everywhere(60)]) {
          reached = reached.map((before, n) => Math.max(before, look[n] ?? 0));
          const from = countOf(progress.position);
          const passed = passEvents(store, progress, log.slice(from, from + 25), state(reached));
          for (const { stream, position } of passed.projected)
            expect(countOf(position)).toBeLessThanOrEqual(reached[partitionOf(stream)] ?? 0);
          seen.push(...passed.projected);
          progress = passed.progress;
        }
        for (let from = countOf(progress.position); from < 60; from += 25) {
          const passed = passEvents(store, progress, log.slice(from, from + 25), state(reached));
          seen.push(...passed.projected);
          progress = passed.progress;
        }
        expect(countsOf(seen).toSorted((a, b) => a - b)).toEqual(countsOf(log));
        for (const stream of new Set(log.map((each) => each.stream)))
          expect(countsOf(seen.filter((each) => each.stream === stream))).toEqual(
            countsOf(log.filter((each) => each.stream === stream)),
          );
      }),
    );
  });

  it('passes over the events of a partition that is too far behind, until they are found otherwise', () => {
    const late = partitionOf('context-w:late');
    const reached = everywhere(10_000).with(late, 0);
    const found = afterLook(store, progressFrom(store, state(everywhere(0))), state(everywhere(0)));
    expect(found.passedOver.size).toBe(0);
    const read = Array.from({ length: 3_000 }, (_, n) => event(n + 1, 'context-w:late'));
    const { projected, progress } = passEvents(store, found, read, state(reached));
    expect([projected, progress.held]).toEqual([[], []]);
    expect([...progress.passedOver]).toEqual([[late, at(3_000)]]);
    const looked = afterLook(store, progress, state(reached.with(late, 2_999)));
    expect(looked.passedOver.size).toBe(1);
    expect(afterLook(store, looked, state(reached.with(late, 3_000))).passedOver.size).toBe(0);
  });

  it('does not go on once other rows or an earlier log have taken the place of those that it knows', () => {
    const progress = progressFrom(store, state(everywhere(50)));
    expect(canContinue(store, progress, state(everywhere(50).with(0, 3)))).toBe(true);
    expect(canContinue(store, progress, state(everywhere(49)))).toBe(false);
    expect(canContinue(store, progress, { ...state(everywhere(60)), rows: 'other' })).toBe(false);
  });
});
