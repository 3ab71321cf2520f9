import { contextAfter, did } from '#testing';

import { endingOf } from './ending.js';
import { activityOf } from './steps/step.activity.js';

const created = did('ContextCreated', {});
const start = did('StepStarted', { stepId: 's' });
const fail = did('StepFailed', { stepId: 's', reason: 'no' });

describe('how something ended', () => {
  it('is known while it is begun again, however often', () => {
    for (const again of [[start], [start, start]]) {
      const step = contextAfter(created, start, fail, ...again).get('step', 's');
      expect(step && endingOf(step)).toEqual({ version: 3, failed: true });
    }
  });

  it('is how it ended last', () => {
    const output = did('StepOutputAdded', { stepId: 's', output: 1 });
    const context = contextAfter(created, start, fail, start, output);
    expect(activityOf([...context.values()]).lastEnded).toBe('completed');
    const after = contextAfter(created, start, fail, start, output, start);
    expect(activityOf([...after.values()]).lastEnded).toBe('completed');
  });

  it('is nothing before the first end', () => {
    const step = contextAfter(created, start).get('step', 's');
    expect(step && endingOf(step)).toBeUndefined();
  });
});
