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
  it('can be started again only after they ended', () => {
    const start = { type: 'StartStep', data: { stepId: 'plan' } } as const;
    given(created).when(start).then(started);
    given(created, started).when(start).thenNothing();
    given(created, started, added).when(start).then(started);
    given(created, started, failed).when(start).then(started);
  });

  it('record an equal output again', () => {
    given(created, started, added).when({ type: 'AddStepOutput', data: planned }).then(added);
  });

  it('store an output that is null', () => {
    const after = contextAfter(created, did('StepOutputAdded', { stepId: 's', output: null }));
    expect(after.get('step-output', 's')?.body).toEqual({ stepId: 's', output: null });
  });

  it('record a failure again only with another content', () => {
    const fail = { type: 'FailStep', data: { stepId: 'plan', reason: 'timeout' } } as const;
    const repeated = { ...fail, data: { ...fail.data, tried: ['retry'] } };
    given(created, failed).when(repeated).thenNothing();
    given(created, failed).when(fail).then(did('StepFailed', fail.data));
    given(created, failed, started).when(repeated).then(failed);
  });

  it('retain their output when they fail later', () => {
    const after = contextAfter(created, added, failed);
    expect(after.get('step', 'plan')?.state).toMatchObject({ status: 'failed' });
    expect(after.get('step-output', 'plan')?.fromVersion).toBe(2);
  });

  it('have named outputs per author', () => {
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

describe('the active agent', () => {
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

  it('is the agent of the step that was started last, while it runs', () => {
    let state = ContextState.from([]);
    const states = history.map((event) => {
      state = state.apply(event);
      const { activeAgent, status } = renderCurrentState(activityOf([...state.values()]));
      return [activeAgent, status];
    });
    expect(states).toEqual(expected);
  });

  it('is the same in an activity that is advanced by events', () => {
    let state = ContextState.from([]);
    let activity = noActivity;
    for (const event of history) {
      activity = advanceActivity(activity, event, state.lookup);
      state = state.apply(event);
      expect(activity).toEqual(activityOf([...state.values()]));
    }
  });
});
