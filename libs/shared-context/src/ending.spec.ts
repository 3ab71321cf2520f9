import { contextAfter, did } from '#testing';

import { endingOf } from './ending.js';
import { activityOf } from './steps/step.activity.js';

const created = did('ContextCreated', {});
const start = did('StepStarted', { stepId: 's' });
const fail = did('StepFailed', { stepId: 's', reason: 'no' });

describe('the latest end of an item', () => {
  it('is retained while it is started again, any number of times', () => {
    for (const again of [[start], [start, start]]) {
      const step = contextAfter(created, start, fail, ...again).get('step', 's');
      expect(step && endingOf(step)).toEqual({ version: 3, failed: true });
    }
  });

  it('is the newest one', () => {
    const output = did('StepOutputAdded', { stepId: 's', output: 1 });
    const context = contextAfter(created, start, fail, start, output);
    expect(activityOf([...context.values()]).lastEnded).toBe('completed');
    const after = contextAfter(created, start, fail, start, output, start);
    expect(activityOf([...after.values()]).lastEnded).toBe('completed');
  });

  it('is undefined before the first end', () => {
    const step = contextAfter(created, start).get('step', 's');
    expect(step && endingOf(step)).toBeUndefined();
  });
});
