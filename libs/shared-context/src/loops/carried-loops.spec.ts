import fc from 'fast-check';

import { contextAfter, did, recordContextEvent } from '#testing';

import { type NewContextEvent } from '../context.events.js';
import { baseOf, rebase } from '../lineage/lineage.js';
import { continuedLoops, withoutVersions } from './carried-loops.js';
import { renderLoops } from './loop.document.js';

const subject = 's';
const created = did('ContextCreated', {});
const iteration = did('IterationStarted', { subject });
const tripped = did('CircuitBreakerTripped', { subject, current: 1, max: 3, reason: 'stop' });

const itemsAfter = (...events: readonly NewContextEvent[]) => [
  ...contextAfter(created, ...events).values(),
];

describe('loops of a context whose content is replaced by an earlier version', () => {
  it('need no events if their counts are equal', () => {
    const items = itemsAfter(iteration);
    expect(continuedLoops(items, items)).toEqual([]);
    expect(continuedLoops([], items)).toEqual([]);
  });

  it('retain their counts, visibility and author', () => {
    const working = { ...iteration, visibility: 'working' } as const;
    const loop = { subject, total: 1, current: 1, max: 3, tripped: false };
    const of = (...events: readonly NewContextEvent[]) => continuedLoops(itemsAfter(...events), []);
    const event = { type: 'IterationsCarried', data: loop };
    const origin = { agentId: 'tester', timestamp: null };
    expect(of(iteration)).toEqual([{ ...event, visibility: 'record', origin }]);
    expect(of(working)).toEqual([{ ...event, visibility: 'working', origin }]);
    expect(of(working, tripped)).toMatchObject([{ visibility: 'working' }]);
    const unknown = itemsAfter(iteration).map((item) => ({ ...item, sources: undefined }));
    expect(continuedLoops(unknown, [])).toEqual([{ ...event, visibility: 'working' }]);
  });

  it('retain in a fork who tripped the circuit breaker, without the version', () => {
    const data = { subject, total: 1, current: 1, max: 3, tripped: true, reason: 'stop' };
    const by = { agentId: 'tester', timestamp: '2026-01-01T00:00:03.000Z' };
    const carried = continuedLoops(itemsAfter(iteration, tripped), []);
    expect(carried).toMatchObject([{ data: { ...data, ...by, version: 3 } }]);
    expect(withoutVersions(carried).map((event) => event.data)).toEqual([{ ...data, ...by }]);
  });

  const event = fc
    .tuple(fc.constantFrom('a', 'b', '__proto__'), fc.nat(3))
    .map(([name, at]): NewContextEvent => {
      const of = { subject: name };
      if (at === 0) return did('CircuitBreakerTripped', { ...of, current: 0, max: 2, reason: 'r' });
      return at === 1 ? did('CircuitBreakerReset', of) : did('IterationStarted', of);
    });

  it('are the same before and after a restore to any version', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), fc.nat(12), (events, to) => {
        const all = [created, ...events];
        const version = Math.min(to, events.length) + 1;
        const [now, then] = [contextAfter(...all), contextAfter(...all.slice(0, version))];
        const restored = recordContextEvent(did('ContextRestored', { version }), all.length + 1);
        const base = baseOf('c', restored);
        if (!base) throw new Error('a restore has a base');
        const after = continuedLoops(now.values(), then.values()).reduce(
          (state, carried, at) =>
            state.apply(
              recordContextEvent({ visibility: 'record', ...carried }, all.length + 2 + at),
            ),
          rebase(base, now.values(), then.values()).apply(restored),
        );
        expect(renderLoops([...after.values()])).toEqual(renderLoops([...now.values()]));
      }),
    );
  });
});
