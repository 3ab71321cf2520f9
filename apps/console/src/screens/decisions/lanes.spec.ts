import { type Decision, filterDecisions, namesStaleBasis, stalePathOf } from './decision.js';
import { lanesOf, supersessionsOf } from './lanes.js';

const decisionOf = (decisionId: string, changes: Partial<Decision> = {}): Decision => ({
  decisionId,
  decision: `decision ${decisionId}`,
  agentId: 'architect',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  status: 'live',
  stale: false,
  ...changes,
});

describe('the lanes of decisions', () => {
  it('are one per topic, each in the order of versions, and end with decisions without a topic', () => {
    const lanes = lanesOf([
      decisionOf('c', { version: 4, topic: 'storage' }),
      decisionOf('none', { version: 1 }),
      decisionOf('b', { version: 3, topic: 'broker' }),
      decisionOf('a', { version: 2, topic: 'storage' }),
    ]);
    const shown = lanes.map(({ topic, decisions }) => [topic, decisions.map((d) => d.decisionId)]);
    expect(shown).toEqual([
      ['storage', ['a', 'c']],
      ['broker', ['b']],
      [undefined, ['none']],
    ]);
  });

  it('have arrows from superseded decisions to newer ones', () => {
    const lane = [
      decisionOf('a', { status: 'superseded', supersededBy: 'b' }),
      decisionOf('b', { supersedes: 'a' }),
      decisionOf('c', { supersedes: 'b', status: 'rejected' }),
      decisionOf('d', { supersedes: 'b', status: 'pending' }),
      decisionOf('e', { supersedes: 'elsewhere' }),
    ];
    expect(supersessionsOf(lane)).toEqual([
      { from: 0, to: 1, proposed: false },
      { from: 1, to: 3, proposed: true },
    ]);
  });
});

describe('filterDecisions', () => {
  const decisions = [
    decisionOf('a', { rationale: 'It is Maintained' }),
    decisionOf('b', { status: 'superseded', agentId: 'builder' }),
    decisionOf('c', { stale: true }),
  ];
  it.each([
    [{ text: 'maintained', show: '' }, ['a']],
    [{ text: ' BUILDER ', show: '' }, ['b']],
    [{ text: '', show: 'stale' }, ['c']],
    [{ text: '', show: 'live' }, ['a', 'c']],
    [{ text: 'builder', show: 'live' }, []],
  ])('with %j returns %j', (filters, ids) => {
    expect(filterDecisions(decisions, filters).map(({ decisionId }) => decisionId)).toEqual(ids);
  });
});

describe('stalePathOf', () => {
  it('returns the path, with a gap between the ends of a shortened one', () => {
    expect(stalePathOf({})).toEqual([]);
    expect(stalePathOf({ stalePath: ['b', 'a'] })).toEqual(['b', 'a']);
    const shortened = { stalePath: ['f', 'e', 'b', 'a'], stalePathLength: 6 };
    expect(stalePathOf(shortened)).toEqual(['f', 'e', { omitted: 2 }, 'b', 'a']);
  });
});

describe('namesStaleBasis', () => {
  const relatedDecisions = [{ decisionId: 'a', relation: 'requires' }];
  it.each([
    [{ stalePath: ['a'], relatedDecisions }, true],
    [{ stalePath: ['b', 'a'], relatedDecisions }, false],
    [{ stalePath: ['a'] }, false],
    [{ stalePath: ['a'], relatedDecisions: [{ decisionId: 'a', relation: 'relates' }] }, false],
    [{ relatedDecisions }, false],
  ])('of %j returns %s', (decision, expected) => {
    expect(namesStaleBasis(decision)).toBe(expected);
  });
});
