import { type Decision } from '../decisions/decision.js';
import { namingsOf, otherCitations } from './knowledge.js';

const decisionOf = (decisionId: string, changes: Partial<Decision> = {}): Decision => ({
  decisionId,
  decision: decisionId,
  agentId: null,
  timestamp: null,
  version: 1,
  status: 'live',
  stale: false,
  ...changes,
});

describe('namingsOf', () => {
  it('returns decisions that supersede or relate to a decision, each relation once', () => {
    const decisions = [
      decisionOf('a'),
      decisionOf('b', {
        supersedes: 'a',
        relatedDecisions: [
          { decisionId: 'a', relation: 'relates' },
          { decisionId: 'a', relation: 'relates' },
        ],
      }),
      decisionOf('c', { relatedDecisions: [{ decisionId: 'a', relation: 'requires' }] }),
      decisionOf('d', { relatedDecisions: [{ decisionId: 'b', relation: 'requires' }] }),
    ];
    const shown = namingsOf('a', decisions).map(({ decision, relation }) => [
      decision.decisionId,
      relation,
    ]);
    expect(shown).toEqual([
      ['b', 'supersedes'],
      ['b', 'relates'],
      ['c', 'requires'],
    ]);
  });
});

describe('otherCitations', () => {
  it('leaves out the decision itself, but not the same version of another context', () => {
    const event = { eventId: 'e', type: 'DecisionRecorded', version: 5 };
    const citedBy = [
      { ...event, contextId: 'a' },
      { ...event, contextId: 'b' },
    ];
    expect(otherCitations({ citedBy }, { contextId: 'a', version: 5 })).toEqual([citedBy[1]]);
  });
});
