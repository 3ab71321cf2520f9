import { type JsonValue } from '#event-sourcing';
import { ContextState, type NewContextEvent } from '#shared-context';
import { did, recordContextEvent } from '#testing';

import { viewSource } from '../sources/view-source.js';

import { headingOf } from './entry.js';

type AuthoredEvent = readonly [author: string, event: NewContextEvent];

function viewOf(...events: readonly AuthoredEvent[]) {
  const state = events.reduce(
    (before, [principal, event], at) =>
      before.apply(recordContextEvent(event, at + 1, { principal })),
    ContextState.from([]),
  );
  return viewSource({ contextId: 'c', items: [...state.values()] });
}

function linesOf(...events: readonly AuthoredEvent[]): readonly string[] {
  const { timeline, currentState } = viewOf(['ada', did('ContextCreated', {})], ...events);
  const parts = currentState.filter(({ ref }) => ref !== null);
  return [
    ...timeline.entries.map(headingOf),
    ...parts.map(({ whole }) => whole.slice(0, whole.indexOf('\n'))),
  ];
}

const tone = (value: JsonValue) => did('PreferencesSet', { values: { tone: value } });

describe('a line of a view', () => {
  it('names the last author of a preference or of global context', () => {
    expect(linesOf(['ada', tone('dry')], ['bob', tone('warm')])).toEqual([
      '- preference `tone` by `bob`: `warm`',
    ]);
    expect(linesOf(['bob', did('GlobalContextSet', { values: { owner: 'shop' } })])).toEqual([
      '- global `owner` by `bob`: `shop`',
    ]);
  });

  it('names all authors who patched an object, the newest first, and how many more there are', () => {
    const patches = ['ada', 'bob', 'cyd', 'dan', 'bob'].map((name, at): AuthoredEvent => [
      name,
      tone({ [`m${at}`]: at }),
    ]);
    expect(linesOf(...patches)).toEqual([
      expect.stringContaining('- preference `tone` by `bob`, `dan`, `cyd` and 1 more: '),
    ]);
  });

  const blocker = did('BlockerRaised', { blockerId: 'B', description: 'd' });
  const note = { handoverId: 'H', to: 'qa', note: 'n' };
  const phase = { phase: 'p', agent: 'admin' };

  it.each<[what: string, events: AuthoredEvent[], lines: string[]]>([
    [
      'the author of a blocker or a handover, whatever its payload says',
      [
        ['mallory', blocker],
        ['mallory', did('HandoverNoted', { ...note, from: 'admin' })],
      ],
      [
        '- open blocker `blocker:B` by `mallory`',
        '- open handover to `qa`, medium `handover:H` by `mallory`',
      ],
    ],
    [
      'later authors of an entry',
      [
        ['ada', blocker],
        ['bob', did('BlockerCleared', { blockerId: 'B', note: 'n' })],
        ['ada', did('HandoverNoted', note)],
        ['qa', did('HandoverAcknowledged', { handoverId: 'H', note: 'n' })],
      ],
      [
        'v3 `blocker:B` by `ada`, cleared by `bob`',
        'v5 `handover:H` by `ada`, acknowledged by `qa`',
      ],
    ],
    [
      'the agent that completed a phase, not the agent in its payload',
      [
        ['mallory', did('PhaseStarted', phase)],
        ['mallory', did('PhaseCompleted', phase)],
      ],
      ['v3 `phase:p` by `mallory`'],
    ],
  ])('names %s', (_, events, lines) => {
    expect(linesOf(...events)).toEqual(lines);
  });
});
