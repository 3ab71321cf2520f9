import { type JsonObject } from '#event-sourcing';
import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type NewContextEvent } from '../context.events.js';
import { ContextState } from '../context-state.js';
import { renderHandovers } from './handover.document.js';
import { handoverNoted, handoverToNote } from './handover.events.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const note = {
  handoverId: 'H-1',
  from: 'sdd-architect',
  to: 'sdd-pe',
  priority: 'critical',
  note: 'PostgreSQL with read replicas: reads outnumber writes four to one',
} as const;
const noted = did('HandoverNoted', note);
const acknowledged = did('HandoverAcknowledged', { handoverId: 'H-1', note: 'seen' });

const acknowledge = { type: 'AcknowledgeHandover', data: { handoverId: 'H-1' } } as const;

function handoversAfter(...events: readonly NewContextEvent[]) {
  const { handoverNotes } = renderHandovers([...contextAfter(created, ...events).values()]);
  // It is a list of objects, which its type does not express.
  return handoverNotes as unknown as readonly JsonObject[];
}

describe('noting a handover', () => {
  it('is recorded once, also after an acknowledgement', () => {
    const command = { type: 'NoteHandover', data: note } as const;
    given(created).when(command).then(noted);
    given(created, noted).when(command).thenNothing();
    given(created, noted, acknowledged).when(command).thenNothing();
  });

  it.each([{ to: 'sdd-le' }, { priority: 'low' as const }, { actionItems: ['shard'] }])(
    'is refused if a known id has other content, such as %j',
    (more) => {
      given(created, noted)
        .when({ type: 'NoteHandover', data: { ...note, ...more } })
        .thenRefused(RuleViolationError, { issues: [{ pointer: '/handoverId' }] });
    },
  );

  it('is the same without a priority as with the default one', () => {
    const unstated = { handoverId: 'H-1', to: 'sdd-pe', note: 'n' };
    given(created, did('HandoverNoted', unstated))
      .when({ type: 'NoteHandover', data: { ...unstated, priority: 'medium' } })
      .thenNothing();
    given(created, did('HandoverNoted', { ...unstated, priority: 'medium' }))
      .when({ type: 'NoteHandover', data: unstated })
      .thenNothing();
  });

  it('requires a recipient and a note', () => {
    const { schema } = handoverNoted;
    const parses = (more: object) => schema.safeParse({ ...note, ...more }).success;
    expect(parses({})).toBe(true);
    expect(parses({ to: undefined })).toBe(false);
    expect(parses({ to: 'key:1' })).toBe(false);
    expect(parses({ note: '' })).toBe(false);
    expect(parses({ priority: 'urgent' })).toBe(false);
    expect(parses({ carriedFrom: { contextId: 'story-1', handoverId: 'H-1' } })).toBe(true);
  });

  it('cannot be marked as carried over by a client', () => {
    const carriedFrom = { contextId: 'story-1', handoverId: 'H-1' };
    expect(handoverToNote.safeParse(note).success).toBe(true);
    expect(handoverToNote.safeParse({ ...note, carriedFrom }).success).toBe(false);
  });
});

describe('acknowledging a handover', () => {
  it('is recorded once', () => {
    given(created, noted)
      .when(acknowledge)
      .then(did('HandoverAcknowledged', { handoverId: 'H-1', to: 'sdd-pe' }));
    given(created, noted, acknowledged).when(acknowledge).thenNothing();
  });

  it('requires a known handover', () => {
    given(created)
      .when(acknowledge)
      .thenRefused(NotFoundError, { details: { kind: 'handover', id: 'H-1' } });
  });
});

describe('handovers in the document', () => {
  it('are open until they are acknowledged, and then show the author and time', () => {
    const by = { agentId: 'tester', timestamp: '2026-01-01T00:00:02.000Z', version: 2 };
    expect(handoversAfter(noted)).toEqual([{ ...note, ...by, status: 'open' }]);
    expect(handoversAfter(noted, acknowledged)).toEqual([
      {
        ...note,
        ...by,
        status: 'acknowledged',
        acknowledgedBy: 'tester',
        acknowledgedAt: '2026-01-01T00:00:03.000Z',
        acknowledgementNote: 'seen',
      },
    ]);
  });

  it('have the author as default sender, and medium as default priority', () => {
    const origin = { agentId: 'sdd-ba', timestamp: '2025-10-16T08:15:00Z' };
    const event = did('HandoverNoted', { handoverId: 'H-2', to: 'sdd-architect', note: 'R-3.2' });
    const state = ContextState.from([]).apply(recordContextEvent(event, 2, { origin }));
    expect(renderHandovers([...state.values()])).toEqual({
      handoverNotes: [
        {
          handoverId: 'H-2',
          from: 'sdd-ba',
          to: 'sdd-architect',
          priority: 'medium',
          note: 'R-3.2',
          status: 'open',
          version: 2,
          ...origin,
        },
      ],
    });
  });

  it('retain their order, and the first acknowledgement', () => {
    const second = did('HandoverNoted', { handoverId: 'A-2', to: 'x', note: 'n' });
    const again = did('HandoverAcknowledged', { handoverId: 'H-1', note: 'me too' });
    expect(handoversAfter(noted, second, acknowledged, again)).toMatchObject([
      { handoverId: 'H-1', acknowledgementNote: 'seen' },
      { handoverId: 'A-2', status: 'open' },
    ]);
  });

  it('are not created by an acknowledgement', () => {
    expect(handoversAfter(acknowledged)).toEqual([]);
  });
});
