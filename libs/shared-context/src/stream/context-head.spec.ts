import { type Envelope } from '#event-sourcing';

import { type ContextEvent } from '../context.events.js';

import { type ContextHead, advanceHead } from './context-head.js';
import { recordedEvent } from './decode-event.js';

const id = { workspace: 'default', contextId: 'c' };
const creation: ContextEvent = { type: 'ContextCreated', data: {} };
const output: ContextEvent = { type: 'StepOutputAdded', data: { stepId: 's', output: 1 } };
const handover: ContextEvent = {
  type: 'HandoverNoted',
  data: {
    handoverId: 'H',
    from: 'ada',
    to: 'bo',
    note: 'go on',
    carriedFrom: { contextId: 'before', handoverId: 'H' },
  },
};

const envelope: Envelope = {
  envelope: 1,
  schemaVersion: 1,
  recordedAt: '2026-01-01T00:00:00.000Z',
  principal: 'ada',
  origin: null,
  correlationId: null,
  causationId: null,
  basedOn: null,
  trust: 'agent',
  visibility: 'record',
  encrypted: null,
  idempotency: null,
  previousHash: null,
  hash: '',
};
const stated = { agentId: 'bo', timestamp: '2025-01-01T00:00:00.000Z' };

function headAfter(...events: readonly [ContextEvent, Partial<Envelope>][]) {
  let head: ContextHead | undefined;
  for (const [at, [event, facts]] of events.entries()) {
    const stored = {
      eventId: 'e',
      stream: 's',
      version: at + 1,
      position: '' as never,
      data: '{}',
    };
    const recorded = recordedEvent(event, stored, { ...envelope, ...facts });
    head = advanceHead(id, head, recorded, { lookup: () => undefined });
  }
  return head;
}

describe('the head of a context', () => {
  it.each<[string, boolean, [ContextEvent, Partial<Envelope>][]]>([
    [
      'written by its agents',
      false,
      [
        [creation, {}],
        [output, {}],
      ],
    ],
    ['written for others', false, [[creation, { origin: { agentId: 'bo', timestamp: null } }]]],
    [
      'imported from its beginning',
      true,
      [
        [creation, { origin: stated }],
        [output, {}],
      ],
    ],
    [
      'to which an import added',
      true,
      [
        [creation, {}],
        [output, { origin: stated }],
      ],
    ],
    [
      'that took handovers over',
      false,
      [
        [creation, {}],
        [handover, { origin: stated }],
      ],
    ],
    [
      'to which an import added such a handover later',
      true,
      [
        [creation, {}],
        [handover, { origin: stated, recordedAt: '2026-01-01T00:00:01.000Z' }],
      ],
    ],
    [
      'to which somebody else imported such a handover',
      true,
      [
        [creation, {}],
        [handover, { origin: stated, principal: 'eve' }],
      ],
    ],
  ])('of one %s has the right flag for imports: %s', (_, imported, events) => {
    expect(headAfter(...events)).toMatchObject({ imported });
  });
});
