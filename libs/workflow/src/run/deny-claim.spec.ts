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

describe('an attempt whose input is hidden from the worker that claims it', () => {
  it('fails before its start without a retry, and names the hidden input in conclusions only', () => {
    const world = coding({ max_retries: 5 });
    const events = world.execute(denied(world, 'code'));
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

  it('follows its error route', () => {
    const world = coding({ on_error: 'fix' });
    world.checksReads = true;
    world.execute(denied(world, 'code'));
    expect(world.envelope('fix').failure).toMatchObject({ stepId: 'code', code: 'hidden-input' });
    expect(JSON.stringify(world.envelope('fix').failure)).not.toContain('plan');
  });

  it('is not denied after another worker has started it', () => {
    const world = coding();
    const late = denied(world, 'code');
    world.claim('code');
    expect(() => world.decide(late)).toThrow('another one has replaced it');
  });

  it('neither starts nor fails in a run that is paused or of another epoch', () => {
    const world = coding();
    const late = denied(world, 'code');
    world.epoch = 'another';
    expect(() => world.decide(late)).toThrow('was restored or imported');
    world.epoch = 'epoch 1';
    world.execute({ type: 'pause', by: 'ada' });
    expect(() => world.decide(late)).toThrow('is paused');
  });

  it('leads to a question to a person if it was a verification', () => {
    const world = coding({ recovery: 'verify', verify: 'checker' });
    world.claim('code');
    world.lose('code');
    world.execute(denied(world, 'code'));
    expect(world.step('code').status).toBe('doubt');
  });
});
