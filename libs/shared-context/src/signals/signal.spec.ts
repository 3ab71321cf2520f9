import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { renderSignals } from './signal.document.js';
import { signalEmitted } from './signal.events.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const blocked = {
  signal: 'IMPLEMENTATION BLOCKED',
  subject: 'story-42-1',
  detail: { reason: 'a circular dependency' },
} as const;
const complete = { signal: 'IMPLEMENTATION COMPLETE', subject: 'story-42-1' } as const;

function reads(signal: object): boolean {
  return signalEmitted.schema.safeParse({ subject: 's-1', ...signal }).success;
}

describe('signals', () => {
  it('are recorded each time, even if they are repeated', () => {
    const emit = { type: 'EmitSignal', data: blocked } as const;
    given(created).when(emit).then(did('SignalEmitted', blocked));
    given(created, did('SignalEmitted', blocked)).when(emit).then(did('SignalEmitted', blocked));
  });

  it('are recorded together and in order if they come from one text', () => {
    given(created)
      .when({ type: 'EmitSignals', data: { signals: [blocked, complete] } })
      .then(did('SignalEmitted', blocked), did('SignalEmitted', complete));
    given(created)
      .when({ type: 'EmitSignals', data: { signals: [] } })
      .thenNothing();
  });

  it('are shown as sent, oldest first, with their authors', () => {
    const after = contextAfter(
      created,
      did('SignalEmitted', blocked),
      did('SignalEmitted', complete),
      did('SignalEmitted', blocked),
    );
    const by = (version: number) => ({
      agentId: 'tester',
      timestamp: `2026-01-01T00:00:0${version}.000Z`,
      version,
    });
    expect(renderSignals([...after.values()].toReversed())).toEqual([
      { ...blocked, ...by(2) },
      { ...complete, ...by(3) },
      { ...blocked, ...by(4) },
    ]);
  });

  it('have their name, but not their detail, in their state', () => {
    const { eventId } = recordContextEvent(did('SignalEmitted', blocked), 2);
    const item = contextAfter(created, did('SignalEmitted', blocked)).get('signal', eventId);
    expect(item?.state).toEqual({
      signal: 'IMPLEMENTATION BLOCKED',
      subject: 'story-42-1',
      version: 2,
      agentId: 'tester',
      timestamp: '2026-01-01T00:00:02.000Z',
    });
  });
});

describe('the payload of a signal', () => {
  it.each([
    ['KICKOFF COMPLETE', []],
    ['IMPLEMENTATION COMPLETE', []],
    ['IMPLEMENTATION BLOCKED', [{ reason: 'r' }]],
    ['REVIEW PASSED', []],
    ['REVIEW PASSED WITH FIXES', [{ fixes: 0 }, { fixes: 3 }]],
    ['REVIEW FAILED', [{ reason: 'r' }]],
    [
      'ANALYSIS COMPLETE',
      [{ recommendation: 'Retry' }, { recommendation: 'Skip' }, { recommendation: 'Escalate' }],
    ],
    ['RETRO COMPLETE', []],
  ])('of %s has only the detail of its form, or none', (signal, details) => {
    expect(reads({ signal })).toBe(true);
    for (const detail of details) expect(reads({ signal, detail })).toBe(true);
    const known = details.map((detail) => JSON.stringify(detail));
    const all = [{ reason: 'r' }, { fixes: 3 }, { recommendation: 'Skip' }];
    for (const detail of all)
      expect(reads({ signal, detail })).toBe(known.includes(JSON.stringify(detail)));
  });

  it.each([
    { signal: 'IMPLEMENTATION STARTED' },
    { signal: 'implementation complete' },
    { signal: 'REVIEW FAILED', detail: {} },
    { signal: 'REVIEW FAILED', detail: { reason: '' } },
    { signal: 'REVIEW PASSED WITH FIXES', detail: { fixes: -1 } },
    { signal: 'REVIEW PASSED WITH FIXES', detail: { fixes: 1.5 } },
    { signal: 'ANALYSIS COMPLETE', detail: { recommendation: 'retry' } },
    { signal: 'REVIEW PASSED', subject: '' },
    { signal: 'REVIEW PASSED', since: 1 },
  ])('cannot be %j', (signal) => {
    expect(reads(signal)).toBe(false);
  });
});
