import { did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { renderDocument } from '../context.document.js';
import { type NewContextEvent, type RecordedContextEvent } from '../context.events.js';
import { ContextState } from '../context-state.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const started = did('PhaseStarted', { phase: 'l1_design' });
const completed = did('PhaseCompleted', { phase: 'l1_design', outputs: ['l1.md'] });
const start = { type: 'StartPhase', data: { phase: 'l1_design' } } as const;
const complete = { type: 'CompletePhase', data: completed.data } as const;

describe('a phase', () => {
  it('starts once until it is completed', () => {
    given(created).when(start).then(started);
    given(created, started).when(start).thenNothing();
    given(created, started, completed).when(start).then(started);
  });

  it('is assigned to another agent when that agent starts it', () => {
    const forAda = { ...start, data: { ...start.data, agent: 'ada' } };
    given(created, started).when(forAda).then(did('PhaseStarted', forAda.data));
    given(created, did('PhaseStarted', forAda.data)).when(forAda).thenNothing();
  });

  it('is completed once, with or without a start', () => {
    const ended = { ...complete, data: { phase: 'l1_design', outputs: ['l1.md'] } };
    given(created).when(ended).then(completed);
    given(created, started).when(ended).then(completed);
    given(created, completed).when(ended).thenNothing();
    given(created, completed, started).when(ended).then(completed);
    const more = { ...ended, data: { ...ended.data, outputs: ['l1.md', 'notes.md'] } };
    given(created, completed).when(more).then(did('PhaseCompleted', more.data));
  });
});

const facts = {
  workspace: 'w',
  contextId: 'c',
  version: 9,
  lastModifiedBy: 'tester',
  lastModifiedAt: '2026-01-01T00:00:09.000Z',
  size: { events: 9, bytes: 1, tokens: 1 },
};

/** The document after these events, each with its agent, one second apart from version 1 on. */
function documentAfter(...events: readonly (readonly [NewContextEvent, string])[]) {
  const recorded = events.map(([event, agentId], at): RecordedContextEvent =>
    recordContextEvent(event, at + 1, { origin: { agentId, timestamp: null } }),
  );
  const state = recorded.reduce((so, event) => so.apply(event), ContextState.from([]));
  return renderDocument(state.values(), facts);
}

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

describe('completed phases', () => {
  it('show their agent, times, number of runs and outputs', () => {
    const requirements = did('PhaseCompleted', { phase: 'requirements', agent: 'sdd-ba' });
    const { completedPhases } = documentAfter(
      [created, 'lead'],
      [started, 'sdd-architect'],
      [completed, 'sdd-architect'],
      [started, 'sdd-architect'],
      [requirements, 'lead'],
      [completed, 'sdd-architect'],
    );
    expect(completedPhases).toEqual([
      {
        phase: 'requirements',
        agent: 'sdd-ba',
        startedAt: null,
        completedAt: at(5),
        iterations: 0,
        outputs: [],
        version: 5,
      },
      {
        phase: 'l1_design',
        agent: 'sdd-architect',
        startedAt: at(4),
        completedAt: at(6),
        iterations: 2,
        outputs: ['l1.md'],
        version: 6,
      },
    ]);
  });

  it('count the iterations of the loop with their name', () => {
    const iteration = did('IterationStarted', { subject: 'l1_design' });
    const { completedPhases, currentState } = documentAfter(
      [created, 'lead'],
      [started, 'ada'],
      ...[iteration, iteration, iteration].map((event) => [event, 'ada'] as const),
      [completed, 'ada'],
      [started, 'bob'],
    );
    expect(completedPhases).toMatchObject([{ phase: 'l1_design', iterations: 3, agent: 'ada' }]);
    expect(currentState).toMatchObject({ phase: 'l1_design', activeAgent: 'bob' });
  });
});

describe('the current state', () => {
  const task = did('TaskPlanned', { taskId: 'design-l2', title: 'Design' });
  const working = did('TaskStarted', { taskId: 'design-l2' });
  const blocked = did('TaskBlocked', { taskId: 'design-l2', reason: 'no schema' });
  const done = did('TaskCompleted', { taskId: 'design-l2' });
  const step = did('StepStarted', { stepId: 's' });
  const output = did('StepOutputAdded', { stepId: 's', output: 1 });
  const tripped = did('CircuitBreakerTripped', { subject: 'x', current: 3, max: 3 });
  const reset = did('CircuitBreakerReset', { subject: 'x' });

  it('follows phases, tasks and steps, and shows a block', () => {
    const history = [
      [created, 'lead'],
      [started, 'pe'],
      [task, 'lead'],
      [working, 'coder'],
      [step, 'tester-agent'],
      [output, 'tester-agent'],
      [blocked, 'coder'],
      [working, 'coder'],
      [tripped, 'coder'],
      [reset, 'lead'],
      [done, 'coder'],
      [completed, 'pe'],
    ] as const;
    const states = history.map((_, index) => {
      const state = documentAfter(...history.slice(0, index + 1))['currentState'];
      const { phase, activeAgent, activeTask, status } = state as Readonly<Record<string, unknown>>;
      return [phase, activeAgent, activeTask, status];
    });
    expect(states).toEqual([
      [null, null, null, 'not_started'],
      ['l1_design', 'pe', null, 'in_progress'],
      ['l1_design', 'pe', null, 'in_progress'],
      ['l1_design', 'coder', 'design-l2', 'in_progress'],
      ['l1_design', 'tester-agent', 'design-l2', 'in_progress'],
      ['l1_design', 'coder', 'design-l2', 'in_progress'],
      ['l1_design', 'coder', 'design-l2', 'blocked'],
      ['l1_design', 'coder', 'design-l2', 'in_progress'],
      ['l1_design', 'coder', 'design-l2', 'blocked'],
      ['l1_design', 'coder', 'design-l2', 'in_progress'],
      ['l1_design', 'pe', null, 'in_progress'],
      [null, null, null, 'completed'],
    ]);
  });
});
