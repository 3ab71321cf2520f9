import { actorOf, decisionIdOf, headlineOf, wordsOf } from './event.js';

describe('an event of a timeline', () => {
  it('belongs to the agent that its principal acted for', () => {
    expect(actorOf({ principal: 'admin', origin: { agentId: 'builder' } })).toBe('builder');
    expect(actorOf({ principal: 'admin', origin: { agentId: null } })).toBe('admin');
    expect(actorOf({ principal: 'builder', origin: null })).toBe('builder');
  });

  it('is described by the words of its type', () => {
    expect(wordsOf('StepOutputAdded')).toBe('step output added');
    expect(headlineOf(null)).toBe('');
  });

  it.each<[object, string]>([
    [{ topic: 'storage', decision: 'PostgreSQL' }, 'storage · PostgreSQL'],
    [{ artifact: 'a.ts', status: 'APPROVED' }, 'a.ts · APPROVED'],
    [{ stepId: 'build', output: { summary: 'Done', files: 2 } }, 'build · Done'],
    [{ stepId: 'build', output: [1, 2] }, 'build · [1,2]'],
    [{ output: 'x'.repeat(300) }, `${'x'.repeat(200)}…`],
    [{ retries: 1 }, ''],
  ])('%j has the headline "%s"', (data, headline) => {
    expect(headlineOf(data)).toBe(headline);
  });

  it('names the decision that it is about', () => {
    const data = { decisionId: 'DEC-001' };
    expect(decisionIdOf({ type: 'DecisionApproved', data })).toBe('DEC-001');
    expect(decisionIdOf({ type: 'StepOutputAdded', data })).toBeUndefined();
    expect(decisionIdOf({ type: 'DecisionRecorded', data: null })).toBeUndefined();
  });
});
