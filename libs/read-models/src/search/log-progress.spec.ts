import fc from 'fast-check';

import { type Position, type StoredEvent } from '#event-sourcing';

import { partitionCount, partitionOf } from '../projector/partition.js';
import { type ReadModelState } from './search-lag.queries.js';
import {
  type LogProgress,
  afterFullIndexing,
  canContinue,
  passEvents,
  progressFrom,
} from './log-progress.js';

type LogPosition = Position | 'start';

const countOf = (position: LogPosition) => (position === 'start' ? 0 : Number(position));
const store = {
  comparePositions: (left: LogPosition, right: LogPosition) => countOf(left) - countOf(right),
};
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

describe('passEvents', () => {
  it('returns each event once its partition has reached it, and the events of a stream in order', () => {
    const partition = fc.array(fc.nat(60), {
      minLength: partitionCount,
      maxLength: partitionCount,
    });
    fc.assert(
      fc.property(fc.array(partition, { minLength: 1, maxLength: 8 }), (states) => {
        const log = Array.from({ length: 60 }, (_, n) => event(n + 1, `context-w:c-${n % 13}`));
        let reached = everywhere(0);
        let progress: LogProgress = progressFrom(store, state(reached));
        const returned: StoredEvent[] = [];
        for (const next of [...states, everywhere(60)]) {
          reached = reached.map((before, n) => Math.max(before, next[n] ?? 0));
          const from = countOf(progress.position);
          const result = passEvents(store, progress, log.slice(from, from + 25), state(reached));
          for (const { stream, position } of result.projected)
            expect(countOf(position)).toBeLessThanOrEqual(reached[partitionOf(stream)] ?? 0);
          returned.push(...result.projected);
          progress = result.progress;
        }
        for (let from = countOf(progress.position); from < 60; from += 25) {
          const result = passEvents(store, progress, log.slice(from, from + 25), state(reached));
          returned.push(...result.projected);
          progress = result.progress;
        }
        expect(countsOf(returned).toSorted((a, b) => a - b)).toEqual(countsOf(log));
        for (const stream of new Set(log.map((each) => each.stream)))
          expect(countsOf(returned.filter((each) => each.stream === stream))).toEqual(
            countsOf(log.filter((each) => each.stream === stream)),
          );
      }),
    );
  });

  it('skips the events of a partition that lags too far behind, until they are indexed otherwise', () => {
    const late = partitionOf('context-w:late');
    const reached = everywhere(10_000).with(late, 0);
    const found = afterFullIndexing(
      store,
      progressFrom(store, state(everywhere(0))),
      state(everywhere(0)),
    );
    expect(found.skipped.size).toBe(0);
    const read = Array.from({ length: 3_000 }, (_, n) => event(n + 1, 'context-w:late'));
    const { projected, progress } = passEvents(store, found, read, state(reached));
    expect([projected, progress.held]).toEqual([[], []]);
    expect([...progress.skipped]).toEqual([[late, at(3_000)]]);
    const indexed = afterFullIndexing(store, progress, state(reached.with(late, 2_999)));
    expect(indexed.skipped.size).toBe(1);
    expect(afterFullIndexing(store, indexed, state(reached.with(late, 3_000))).skipped.size).toBe(
      0,
    );
  });

  it('does not continue after the rows or the log were replaced', () => {
    const progress = progressFrom(store, state(everywhere(50)));
    expect(canContinue(store, progress, state(everywhere(50).with(0, 3)))).toBe(true);
    expect(canContinue(store, progress, state(everywhere(49)))).toBe(false);
    expect(canContinue(store, progress, { ...state(everywhere(60)), rows: 'other' })).toBe(false);
  });
});
