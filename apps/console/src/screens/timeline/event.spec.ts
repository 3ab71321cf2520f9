import { actorOf, decisionIdOf, headlineOf, wordsOf } from './event.js';

describe('an event of a timeline', () => {
  it('belongs to the agent that its principal acted for', () => {
    expect(actorOf({ principal: 'admin', origin: { agentId: 'builder' } })).toBe('builder');
    expect(actorOf({ principal: 'admin', origin: { agentId: null } })).toBe('admin');
    expect(actorOf({ principal: 'builder', origin: null })).toBe('builder');
  });

  it('is described by the words of its type and its most informative member', () => {
    expect(wordsOf('StepOutputAdded')).toBe('step output added');
    expect(headlineOf({ stepId: 'design', decision: 'PostgreSQL' })).toBe('PostgreSQL');
    expect(headlineOf({ output: 1 })).toBe('');
    expect(headlineOf(null)).toBe('');
  });

  it('names the decision that it is about', () => {
    const data = { decisionId: 'DEC-001' };
    expect(decisionIdOf({ type: 'DecisionApproved', data })).toBe('DEC-001');
    expect(decisionIdOf({ type: 'StepOutputAdded', data })).toBeUndefined();
    expect(decisionIdOf({ type: 'DecisionRecorded', data: null })).toBeUndefined();
  });
});
