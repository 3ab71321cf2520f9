import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { ContextState } from '../context-state.js';
import { renderAgents } from '../agents/agent.document.js';
import { renderTasks } from './task.document.js';
import { taskPlanned } from './task.events.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const model = { taskId: 'task-001', title: 'User model' };
const tokens = {
  taskId: 'task-002',
  title: 'Token service',
  dependsOn: ['task-001'],
  acceptanceCriteria: ['a token expires after an hour'],
  estimate: 6.5,
};
const planned = did('TaskPlanned', model);
const started = did('TaskStarted', { taskId: 'task-001' });
const blocked = did('TaskBlocked', { taskId: 'task-001', reason: 'no schema' });
const completed = did('TaskCompleted', { taskId: 'task-001' });

const start = { type: 'StartTask', data: { taskId: 'task-001' } } as const;
const block = { type: 'BlockTask', data: { taskId: 'task-001', reason: 'no schema' } } as const;
const complete = { type: 'CompleteTask', data: { taskId: 'task-001' } } as const;

describe('planning a task', () => {
  it('is recorded once, and refused with the id of another task', () => {
    given(created).when({ type: 'PlanTask', data: model }).then(planned);
    given(created, planned).when({ type: 'PlanTask', data: model }).thenNothing();
    given(created, planned, started, blocked).when({ type: 'PlanTask', data: model }).thenNothing();
    given(created, planned)
      .when({ type: 'PlanTask', data: { ...model, title: 'Users' } })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/taskId' }] });
  });

  it('requires that the tasks that it depends on are planned', () => {
    given(created, planned)
      .when({ type: 'PlanTask', data: tokens })
      .then(did('TaskPlanned', tokens));
    given(created)
      .when({ type: 'PlanTask', data: tokens })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/dependsOn/0' }] });
    given(created)
      .when({ type: 'PlanTask', data: { ...model, dependsOn: ['task-001'] } })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/dependsOn/0' }] });
  });

  it('requires that its parent task is planned', () => {
    const part = { taskId: 'task-001.1', title: 'Fields', partOf: 'task-001', group: 'Backend' };
    given(created, planned).when({ type: 'PlanTask', data: part }).then(did('TaskPlanned', part));
    given(created)
      .when({ type: 'PlanTask', data: part })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/partOf' }] });
  });

  it('replaces the plan if it is a revision, unless the task would be its own part', () => {
    const revised = { ...model, title: 'Users' };
    given(created, planned, completed)
      .when({ type: 'PlanTask', data: revised, isRevision: true })
      .then(did('TaskPlanned', revised));
    given(created, planned)
      .when({ type: 'PlanTask', data: { ...model, partOf: 'task-001' }, isRevision: true })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/partOf' }] });
  });

  it.each([{ title: '' }, { estimate: -1 }, { dependsOn: 'task-001' }, { status: 'planned' }])(
    'refuses %j',
    (member) => {
      expect(taskPlanned.schema.safeParse({ ...model, ...member }).success).toBe(false);
    },
  );
});

describe('working on a task', () => {
  it('is started once, until it is blocked or completed', () => {
    given(created, planned).when(start).then(started);
    given(created, planned, started).when(start).thenNothing();
    given(created, planned, started, blocked).when(start).then(started);
    given(created, planned, started, completed).when(start).then(started);
  });

  it('is assigned to another agent when that agent starts it', () => {
    const forAda = { ...start, data: { ...start.data, agent: 'ada' } };
    given(created, planned, started).when(forAda).then(did('TaskStarted', forAda.data));
    given(created, planned, did('TaskStarted', forAda.data)).when(forAda).thenNothing();
    given(created, planned, did('TaskStarted', forAda.data)).when(start).thenNothing();
  });

  it('is blocked again only for another reason, and not once it is completed', () => {
    given(created, planned).when(block).then(blocked);
    given(created, planned, blocked).when(block).thenNothing();
    const other = { ...block, data: { ...block.data, reason: 'no sandbox' } };
    given(created, planned, blocked).when(other).then(did('TaskBlocked', other.data));
    given(created, planned, completed)
      .when(block)
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/taskId' }] });
  });

  it('is completed once, whether or not it was started', () => {
    given(created, planned).when(complete).then(completed);
    given(created, planned, started, blocked).when(complete).then(completed);
    given(created, planned, completed).when(complete).thenNothing();
  });

  it.each([start, block, complete])('requires a planned task: $type', (command) => {
    given(created)
      .when(command)
      .thenRefused(NotFoundError, { details: { kind: 'task', id: 'task-001' } });
  });
});

describe('tasks in the document', () => {
  it('name the agent that completed a task that was not started', () => {
    const by = (agentId: string) => ({ origin: { agentId, timestamp: null } });
    const state = ContextState.from([])
      .apply(recordContextEvent(did('TaskPlanned', model), 2, by('sdd-pe')))
      .apply(recordContextEvent(completed, 3, by('sdd-coder')));
    const items = [...state.values()];
    expect(renderTasks(items)).toMatchObject([
      { status: 'completed', agentId: 'sdd-coder', completedBy: 'sdd-coder', plannedBy: 'sdd-pe' },
    ]);
    expect(renderAgents(items)).toMatchObject({ 'sdd-coder': { status: 'completed' } });
  });

  it('show their status, agents and times', () => {
    const by = (agentId: string) => ({ origin: { agentId, timestamp: null } });
    const history = [
      recordContextEvent(did('TaskPlanned', model), 2, by('sdd-le')),
      recordContextEvent(did('TaskPlanned', tokens), 3, by('sdd-le')),
      recordContextEvent(started, 4, by('sdd-coder')),
      recordContextEvent(blocked, 5, by('sdd-coder')),
      recordContextEvent(started, 6, by('sdd-coder')),
      recordContextEvent(completed, 7, by('sdd-le')),
    ];
    const before = { plannedBy: 'sdd-le', agentId: null, startedAt: null, completedAt: null };
    const first = {
      ...model,
      dependsOn: [],
      acceptanceCriteria: [],
      timestamp: '2026-01-01T00:00:02.000Z',
      version: 2,
    };
    const second = {
      ...tokens,
      ...before,
      status: 'planned',
      timestamp: '2026-01-01T00:00:03.000Z',
      version: 3,
    };
    const working = {
      ...first,
      ...before,
      agentId: 'sdd-coder',
      startedAt: '2026-01-01T00:00:04.000Z',
    };
    const ended = { completedAt: '2026-01-01T00:00:07.000Z', completedBy: 'sdd-le' };
    const rendered = history.map((_, at) => {
      const state = history
        .slice(0, at + 1)
        .reduce((so, event) => so.apply(event), ContextState.from([]));
      return renderTasks([...state.values()]);
    });
    expect(rendered).toEqual([
      [{ ...first, ...before, status: 'planned' }],
      [{ ...first, ...before, status: 'planned' }, second],
      [{ ...working, status: 'in_progress' }, second],
      [{ ...working, status: 'blocked', reason: 'no schema' }, second],
      [{ ...working, status: 'in_progress' }, second],
      [{ ...working, ...ended, status: 'completed' }, second],
    ]);
  });

  it('are not changed by contradicting events', () => {
    const contradicted = contextAfter(created, started, planned, completed, blocked);
    expect(renderTasks([...contradicted.values()])).toMatchObject([
      { ...model, status: 'completed', startedAt: null },
    ]);
  });

  it('have the newest plan and their previous status', () => {
    const revised = contextAfter(
      created,
      started,
      planned,
      blocked,
      did('TaskPlanned', { ...model, title: 'else', group: 'Backend' }),
    );
    expect(renderTasks([...revised.values()])).toMatchObject([
      { ...model, title: 'else', group: 'Backend', status: 'blocked', reason: expect.any(String) },
    ]);
  });
});
