import { type RunWorld as World, RunWorld } from '#testing';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

function denied(world: World, stepId: string) {
  const { visit, attempt } = world.step(stepId);
  const by = 'narrow-key';
  return { type: 'deny', stepId, visit, attempt, hidden: 'plan', by } as const;
}

function coding(more: object = {}): World {
  const world = RunWorld.start({
    steps: [
      agent('plan', { next: 'code' }),
      agent('code', { input: 'plan', ...more }),
      agent('fix'),
    ],
  });
  world.finish('plan', 'a secret');
  return world;
}

describe('an attempt that is claimed by a worker from which its input is hidden', () => {
  it('fails before its start, without a retry, and names what is hidden only in conclusions', () => {
    const world = coding({ max_retries: 5 });
    const events = world.happen(denied(world, 'code'));
    expect(events.map(({ type, principal }) => [type, principal])).toEqual([
      ['StepAttemptFailed', 'executor'],
      ['StepRouted', 'executor'],
      ['RunFailed', 'executor'],
    ]);
    expect(events[0]?.data).toMatchObject({ code: 'hidden-input', retryable: false, attempt: 1 });
    expect(JSON.stringify(events[0])).not.toContain('plan');
    expect(events[1]?.data).toMatchObject({
      reason: 'its input "plan" is hidden from "narrow-key", which claimed it',
    });
    expect(world.run).toMatchObject({ status: 'failed', failedStep: { stepId: 'code' } });
  });

  it('follows its error route, and evaluates the steps on it', () => {
    const world = coding({ on_error: 'fix' });
    world.checksReads = true;
    world.happen(denied(world, 'code'));
    expect(world.envelope('fix').failure).toMatchObject({ stepId: 'code', code: 'hidden-input' });
    expect(JSON.stringify(world.envelope('fix').failure)).not.toContain('plan');
  });

  it('is not denied any more once another worker has started it', () => {
    const world = coding();
    const late = denied(world, 'code');
    world.claim('code');
    expect(() => world.decide(late)).toThrow('another one has replaced it');
  });

  it('does not start in a run that is paused or of another epoch, and does not fail there either', () => {
    const world = coding();
    const late = denied(world, 'code');
    world.epoch = 'another';
    expect(() => world.decide(late)).toThrow('was restored or imported');
    world.epoch = 'epoch 1';
    world.happen({ type: 'pause', by: 'ada' });
    expect(() => world.decide(late)).toThrow('is paused');
  });

  it('leads to a person if it was to find out whether another attempt took effect', () => {
    const world = coding({ recovery: 'verify', verify: 'checker' });
    world.claim('code');
    world.lose('code');
    world.happen(denied(world, 'code'));
    expect(world.step('code').status).toBe('doubt');
  });
});
