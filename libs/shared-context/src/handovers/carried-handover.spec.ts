import { did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { ContextState } from '../context-state.js';
import { openHandovers } from './carried-handover.js';

const { given } = specify(contextDecider, recordContextEvent);

const carriedFrom = { contextId: 'story-1', handoverId: 'H-1' };
const first = { handoverId: 'H-1', to: 'sdd-pe', note: 'reads outnumber writes', carriedFrom };
const second = { handoverId: 'A-2', from: 'sdd-ba', to: 'sdd-pe', note: 'n' } as const;
const origin = { agentId: 'sdd-architect', timestamp: '2025-10-16T09:00:00Z' };

const items = [
  recordContextEvent(did('HandoverNoted', first), 2, { origin, trust: 'web' }),
  recordContextEvent(did('HandoverNoted', { handoverId: 'B', to: 'x', note: 'n' }), 3),
  recordContextEvent(did('HandoverNoted', second, 'working'), 4),
  recordContextEvent(did('HandoverAcknowledged', { handoverId: 'B' }), 5),
]
  .reduce((state, event) => state.apply(event), ContextState.from([]))
  .values();

describe('the handovers that a context carries over', () => {
  const carried = openHandovers('story-2', [...items]);

  it('are the open ones, oldest first, with their content and author', () => {
    expect(carried).toEqual([
      {
        data: { ...first, carriedFrom: { contextId: 'story-2', handoverId: 'H-1' } },
        origin,
        trust: 'web',
        visibility: 'record',
      },
      {
        data: { ...second, carriedFrom: { contextId: 'story-2', handoverId: 'A-2' } },
        origin: { agentId: 'tester', timestamp: '2026-01-01T00:00:04.000Z' },
        trust: 'agent',
        visibility: 'working',
      },
    ]);
  });

  it('are recorded after its creation, with their own visibility', () => {
    const data = { continues: 'story-2' };
    given()
      .when({ type: 'CreateContext', data, carried, visibility: 'working' })
      .then(
        did('ContextCreated', data, 'working'),
        ...carried.map((handover) => ({ type: 'HandoverNoted', ...handover })),
      );
    given().when({ type: 'CreateContext', data, carried: [] }).then(did('ContextCreated', data));
  });
});
