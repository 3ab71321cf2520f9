import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { RuleViolationError } from '../context.errors.js';
import { type NewContextEvent } from '../context.events.js';
import { ContextState } from '../context-state.js';
import { checkpointName } from './automatic-checkpoint.js';
import { renderAllCheckpoints, renderCheckpoints } from './checkpoint.document.js';
import { baseOf, rebase } from './lineage.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const output = (stepId: string) => did('StepOutputAdded', { stepId, output: 1 });

/** The state after these events, each with its agent, from version 1 on. */
function after(...done: readonly (readonly [agent: string, event: NewContextEvent])[]) {
  return done.reduce(
    (state, [agent, event], at) =>
      state.apply(
        recordContextEvent(event, at + 1, { origin: { agentId: agent, timestamp: null } }),
      ),
    ContextState.from([]),
  );
}

describe('automatic checkpoints', () => {
  it('name the version of the newest completion of every agent, without an event', () => {
    const state = after(
      ['analyst', created],
      ['analyst', output('brief')],
      ['pm', output('prd')],
      ['analyst', output('brief')],
      ['pm', did('StepFailed', { stepId: 'prd', reason: 'r' })],
      ['pm', did('CheckpointCreated', { name: 'ready', version: 5 })],
    );
    expect(renderAllCheckpoints(state.values())).toMatchObject([
      { name: 'after:pm', version: 3, createdBy: 'tester', automatic: true },
      { name: 'after:analyst', version: 4, automatic: true },
      { name: 'ready', version: 5, automatic: false },
    ]);
    expect(renderCheckpoints(state.values())).toMatchObject([{ name: 'ready' }]);
  });

  it('do not change when another agent completes the same step', () => {
    const state = after(['a', created], ['a', output('s')], ['b', output('s')]);
    expect(renderAllCheckpoints(state.values())).toMatchObject([
      { name: 'after:a', version: 2 },
      { name: 'after:b', version: 3 },
    ]);
  });

  it('name completed tasks too', () => {
    const state = after(
      ['lead', created],
      ['lead', did('TaskPlanned', { taskId: 't', title: 't' })],
      ['coder', did('TaskStarted', { taskId: 't' })],
      ['coder', did('TaskCompleted', { taskId: 't' })],
    );
    expect(renderAllCheckpoints(state.values())).toMatchObject([
      { name: 'after:coder', version: 4 },
    ]);
  });

  it('name completed phases, and the agents that completed them', () => {
    const state = after(
      ['lead', created],
      ['lead', did('PhaseStarted', { phase: 'l1_design', agent: 'sdd-architect' })],
      ['lead', did('PhaseCompleted', { phase: 'l1_design', agent: 'sdd-architect' })],
      ['sdd-pe', did('PhaseCompleted', { phase: 'l2_design' })],
      ['sdd-ba', did('PhaseCompleted', { phase: 'x', agent: 'phase:x' })],
      ['sdd-pe', did('PhaseStarted', { phase: 'l2_design' })],
    );
    expect(
      renderAllCheckpoints(state.values()).map(({ name, version }) => [name, version]),
    ).toEqual([
      ['after:phase:l1_design', 3],
      ['after:sdd-architect', 3],
      ['after:phase:l2_design', 4],
      ['after:sdd-pe', 4],
      ['after:phase:x', 5],
    ]);
  });

  it('name the version after the values derived from a completion', () => {
    const derived = (path: string) =>
      did('ValueDerived', {
        path,
        value: 1,
        from: [],
        transformation: 't',
        transformationVersion: 1,
      });
    const state = after(
      ['lead', created],
      ['analyst', output('brief')],
      ['analyst', derived('pm.inputs.a')],
      ['analyst', derived('pm.inputs.b')],
      ['analyst', did('GlobalContextSet', { values: { a: 1 } })],
      ['analyst', derived('pm.inputs.a')],
      ['lead', derived('pm.inputs.b')],
    );
    expect(renderAllCheckpoints(state.values())).toMatchObject([
      {
        name: 'after:analyst',
        version: 4,
        createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 2)).toISOString(),
      },
    ]);
  });

  it('can be restored by name', () => {
    given(created, output('s'), did('StepFailed', { stepId: 't', reason: 'r' }))
      .when({ type: 'RestoreContext', data: { checkpoint: 'after:tester' }, at: 3, resolved: 2 })
      .then(did('ContextRestored', { version: 2 }));
  });

  it('do not exist for agents without a completion', () => {
    given(created, did('StepStarted', { stepId: 's' }))
      .when({ type: 'RestoreContext', data: { checkpoint: 'after:tester' }, at: 2 })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/checkpoint' }] });
  });

  it('have names that no other checkpoint can have', () => {
    given(created)
      .when({ type: 'CreateCheckpoint', data: { name: 'after:lunch' }, at: 1 })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/name' }] });
  });

  it('remain after a restore to an earlier version', () => {
    const before = contextAfter(created, output('s'));
    const event = recordContextEvent(did('ContextRestored', { version: 1 }), 3);
    const base = baseOf('c', event);
    if (!base) throw new Error('a restore has a base');
    const state = rebase(base, before.values(), contextAfter(created).values()).apply(event);
    expect(state.get('step-output', 's')).toBeUndefined();
    expect(renderAllCheckpoints(state.values())).toMatchObject([
      { name: 'after:tester', version: 2 },
    ]);
  });

  it('are not inherited by a fork', () => {
    const event = recordContextEvent(
      did('ContextForked', { source: { contextId: 'c', version: 2 } }),
      1,
    );
    const base = baseOf('d', event);
    if (!base) throw new Error('a fork has a base');
    const state = rebase(base, [], contextAfter(created, output('s')).values()).apply(event);
    expect(state.get('step-output', 's')).toBeDefined();
    expect(renderAllCheckpoints(state.values())).toEqual([]);
  });

  it.each([
    ['ready', true],
    ['', false],
    ['after:', false],
    ['after:phase:', true],
    [`after:${'a'.repeat(256)}`, true],
    [`after:${'a'.repeat(257)}`, false],
    [`after:phase:${'p'.repeat(256)}`, true],
    [`after:phase:${'p'.repeat(257)}`, false],
    ['a'.repeat(257), false],
    ['after:\u0000', false],
  ])('have names with the length limits of the named agents and phases: %j', (name, valid) => {
    expect(checkpointName.safeParse(name).success).toBe(valid);
  });
});
