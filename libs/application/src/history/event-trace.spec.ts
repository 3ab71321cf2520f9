import fc from 'fast-check';

import { type TraceLink, type TracedEvent } from '#read-models';

import { traceEvent } from './event-trace.js';

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function event(n: number, cause: number | null, correlationId: string | null = null): TracedEvent {
  return {
    workspace: 'w',
    contextId: 'c',
    version: n,
    eventId: idOf(n),
    correlationId,
    causationId: cause === null ? null : idOf(cause),
  };
}

/** Finds events as the database does. */
function finderIn(events: readonly TracedEvent[]) {
  const matches = (link: TraceLink, { eventId, causationId, correlationId }: TracedEvent) => {
    if ('eventIds' in link) return link.eventIds.includes(eventId);
    if ('causedBy' in link) return causationId !== null && link.causedBy.includes(causationId);
    return correlationId === link.correlationId;
  };
  return (link: TraceLink, limit: number) =>
    Promise.resolve(events.filter((one) => matches(link, one)).slice(0, limit));
}

async function traced(events: readonly TracedEvent[], n: number, limit = 1000) {
  const self = events.find(({ version }) => version === n);
  if (!self) throw new Error('the requested event is missing');
  const { nodes, truncated } = await traceEvent(self, limit, finderIn(events));
  return {
    truncated,
    relations: Object.fromEntries(
      nodes.map(({ event: { version }, relation }) => [version, relation]),
    ),
  };
}

describe('the trace of an event', () => {
  it('contains all causes and all effects of an event', async () => {
    const events = [
      event(1, null),
      event(2, 1),
      event(3, 2),
      event(4, 3),
      event(5, 3),
      event(6, 1),
    ];
    expect(await traced(events, 3)).toEqual({
      truncated: false,
      relations: { 3: 'self', 2: 'ancestor', 1: 'ancestor', 4: 'descendant', 5: 'descendant' },
    });
  });

  it('contains all events of the same correlation', async () => {
    const events = [
      event(1, null, 'job'),
      event(2, null, 'job'),
      event(3, 1, 'job'),
      event(4, null),
    ];
    expect((await traced(events, 1)).relations).toEqual({
      1: 'self',
      2: 'correlated',
      3: 'descendant',
    });
  });

  it('ends at a cause that is not an event or is out of reach', async () => {
    const outside = { ...event(1, 9), causationId: 'ticket 42' };
    expect((await traced([outside], 1)).relations).toEqual({ 1: 'self' });
    expect((await traced([event(2, 9)], 2)).relations).toEqual({ 2: 'self' });
  });

  it('reports that it is truncated', async () => {
    const events = [event(1, null), ...Array.from({ length: 20 }, (_, n) => event(n + 2, 1))];
    const { relations, truncated } = await traced(events, 1, 10);
    expect([Object.keys(relations).length, truncated]).toEqual([10, true]);
    expect((await traced(events, 1, 21)).truncated).toBe(false);
  });

  it('ends, contains the event once and stays within its limit for any causes', async () => {
    const causes = fc.array(fc.option(fc.integer({ min: 1, max: 12 })), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(causes, fc.integer({ min: 1, max: 12 }), async (chosen, limit) => {
        const events = chosen.map((cause, at) => event(at + 1, cause, at % 2 ? 'odd' : null));
        const { relations, truncated } = await traced(events, 1, limit);
        expect(relations[1]).toBe('self');
        expect(Object.keys(relations).length).toBeLessThanOrEqual(limit);
        if (limit === 12) expect(truncated).toBe(false);
      }),
    );
  });
});
