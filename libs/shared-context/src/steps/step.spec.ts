import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { ContextState } from '../context-state.js';
import { noActivity } from '../outcome/activity.js';
import { renderCurrentState } from '../outcome/current-state.js';
import { activityOf, advanceActivity } from './step.activity.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const started = did('StepStarted', { stepId: 'plan' });
const planned = { stepId: 'plan', output: { files: 2 } };
const added = did('StepOutputAdded', planned);
const failed = did('StepFailed', { stepId: 'plan', reason: 'timeout', tried: ['retry'] });

describe('steps', () => {
  it('starts once until it ended', () => {
    const start = { type: 'StartStep', data: { stepId: 'plan' } } as const;
    given(created).when(start).then(started);
    given(created, started).when(start).thenNothing();
    given(created, started, added).when(start).then(started);
    given(created, started, failed).when(start).then(started);
  });

  it('takes the same output again as a new fact', () => {
    given(created, started, added).when({ type: 'AddStepOutput', data: planned }).then(added);
  });

  it('keeps an output that is null', () => {
    const after = contextAfter(created, did('StepOutputAdded', { stepId: 's', output: null }));
    expect(after.get('step-output', 's')?.body).toEqual({ stepId: 's', output: null });
  });

  it('fails again only for another reason', () => {
    const fail = { type: 'FailStep', data: { stepId: 'plan', reason: 'timeout' } } as const;
    const repeated = { ...fail, data: { ...fail.data, tried: ['retry'] } };
    given(created, failed).when(repeated).thenNothing();
    given(created, failed).when(fail).then(did('StepFailed', fail.data));
    given(created, failed, started).when(repeated).then(failed);
  });

  it('keeps the output of a step that failed later', () => {
    const after = contextAfter(created, added, failed);
    expect(after.get('step', 'plan')?.state).toMatchObject({ status: 'failed' });
    expect(after.get('step-output', 'plan')?.fromVersion).toBe(2);
  });

  it('names an output per author', () => {
    const named = did('StepOutputAdded', { stepId: 'plan', output: 1, name: 'spec' });
    const byTester = recordContextEvent(named, 2);
    const forAda = recordContextEvent(named, 3, { origin: { agentId: 'ada', timestamp: null } });
    const after = contextAfter(created).apply(byTester).apply(forAda);
    expect(after.get('output', '["tester","spec"]')?.state).toMatchObject({ version: 2 });
    expect(after.get('output', '["ada","spec"]')?.state).toMatchObject({
      version: 3,
      stepId: 'plan',
    });
  });
});

describe('who is active', () => {
  const by = (agentId: string) => ({ origin: { agentId, timestamp: null } });
  const history = [
    recordContextEvent(created, 1),
    recordContextEvent(started, 2, by('ada')),
    recordContextEvent(did('StepStarted', { stepId: 'build' }), 3, by('bob')),
    recordContextEvent(did('StepOutputAdded', { stepId: 'build', output: 1 }), 4, by('bob')),
    recordContextEvent(failed, 5, by('ada')),
  ];
  const expected = [
    [null, 'not_started'],
    ['ada', 'in_progress'],
    ['bob', 'in_progress'],
    [null, 'in_progress'],
    [null, 'failed'],
  ];

  it('says the starter of the step started last while it runs', () => {
    let state = ContextState.from([]);
    const seen = history.map((event) => {
      state = state.apply(event);
      const { activeAgent, status } = renderCurrentState(activityOf([...state.values()]));
      return [activeAgent, status];
    });
    expect(seen).toEqual(expected);
  });

  it('says the same kept event by event', () => {
    let state = ContextState.from([]);
    let activity = noActivity;
    for (const event of history) {
      activity = advanceActivity(activity, event, state.lookup);
      state = state.apply(event);
      expect(activity).toEqual(activityOf([...state.values()]));
    }
  });
});
