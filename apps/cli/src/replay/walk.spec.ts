import { type ContextEvent } from './context-event.js';
import { Walk } from './walk.js';

const event = (version: number, type: string, agent: string, stepId?: string): ContextEvent => ({
  eventId: `e-${version}`,
  type,
  version,
  principal: 'key:1',
  origin: { agentId: agent },
  data: { stepId },
});

const events = [
  event(1, 'ContextCreated', 'ada'),
  event(2, 'StepStarted', 'ada', 'plan'),
  event(3, 'StepOutputAdded', 'ada', 'plan'),
  event(4, 'DecisionRecorded', 'grace'),
  event(5, 'StepOutputAdded', 'grace', 'build'),
];
const history = { at: (index: number) => Promise.resolve(events[index]) };
const versionOf = async (move: Promise<ContextEvent | undefined>) => (await move)?.version;

describe('a walk through a history', () => {
  it('moves forward and back, and stops at both ends', async () => {
    const walk = new Walk(history, {});
    expect(await versionOf(walk.next())).toBe(1);
    expect(await versionOf(walk.back())).toBeUndefined();
    expect(await versionOf(walk.next())).toBe(2);
    expect(await versionOf(walk.back())).toBe(1);
    expect(await versionOf(walk.goTo(5))).toBe(5);
    expect(await versionOf(walk.next())).toBeUndefined();
    expect(await versionOf(walk.back())).toBe(4);
  });

  it('skips events that do not match the filter', async () => {
    const walk = new Walk(history, { agent: 'grace' });
    expect(await versionOf(walk.next())).toBe(4);
    walk.filter = { types: ['StepOutputAdded'] };
    expect(await versionOf(walk.here())).toBe(5);
    expect(await versionOf(walk.back())).toBe(3);
    walk.filter = { step: 'plan' };
    expect(await versionOf(walk.back())).toBe(2);
    expect(await versionOf(walk.goTo(3))).toBe(3);
    expect(await versionOf(walk.goTo(9))).toBeUndefined();
    expect(await versionOf(walk.here())).toBe(3);
  });

  it('goes back to the last matching event if none follows', async () => {
    const walk = new Walk(history, {});
    await walk.goTo(5);
    walk.filter = { types: ['ContextCreated'] };
    expect(await versionOf(walk.here())).toBe(1);
  });
});
