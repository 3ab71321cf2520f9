import { contextAfter, did, recordContextEvent } from '#testing';

import { type NewContextEvent } from '../context.events.js';
import { without } from '../json.js';
import { stepEndings } from '../steps/step.fold.js';
import { renderAgents } from './agent.document.js';
import { type RegisteredAgent } from '../registered-agent.js';

const created = did('ContextCreated', {});
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

/** What happened, by whom: events behind the creation. */
type Did = readonly [agentId: string, event: NewContextEvent];

function agentsAfter(history: readonly Did[], registry: readonly RegisteredAgent[] = []) {
  const state = history.reduce(
    (before, [agentId, event], index) =>
      before.apply(recordContextEvent(event, index + 2, { origin: { agentId, timestamp: null } })),
    contextAfter(created),
  );
  return renderAgents([...state.values()], registry);
}

const started = did('StepStarted', { stepId: 's' });
const failed = did('StepFailed', { stepId: 's', reason: 'r' });
const added = did('StepOutputAdded', { stepId: 's', output: 1 });

describe('an agent of a context', () => {
  it('is in progress from its first start on', () => {
    expect(agentsAfter([['ada', started]])).toEqual({
      ada: {
        status: 'in_progress',
        executionStart: at(2),
        executionEnd: null,
        retries: 0,
        outputs: {},
      },
    });
  });

  it('has completed what it ended, and says when', () => {
    const named = did('StepOutputAdded', { stepId: 's', output: 1, name: 'brief' });
    const history: Did[] = [
      ['ada', started],
      ['ada', named],
    ];
    expect(agentsAfter(history)).toMatchObject({
      ada: {
        status: 'completed',
        executionStart: at(2),
        executionEnd: at(3),
        retries: 0,
        outputs: { brief: { stepId: 's', version: 3 } },
      },
    });
  });

  it('that never said when it began has an end and no start', () => {
    expect(agentsAfter([['ada', added]])).toMatchObject({
      ada: { status: 'completed', executionStart: null, executionEnd: at(2) },
    });
  });

  it('counts as retries what it began again after a failure', () => {
    const attempts: Did[] = [
      ['ada', started],
      ['ada', failed],
      ['ada', started],
      ['ada', failed],
    ];
    expect(agentsAfter(attempts)).toMatchObject({
      ada: { status: 'failed', executionStart: at(2), executionEnd: at(5), retries: 1 },
    });
    expect(agentsAfter([...attempts, ['ada', started], ['ada', added]])).toMatchObject({
      ada: { status: 'completed', executionStart: at(2), executionEnd: at(7), retries: 2 },
    });
    expect(
      agentsAfter([
        ['ada', started],
        ['ada', added],
        ['ada', started],
      ]),
    ).toMatchObject({
      ada: { status: 'in_progress', executionStart: at(2), retries: 0 },
    });
  });

  it('is told apart from those who take its steps over', () => {
    const history: Did[] = [
      ['ada', started],
      ['ada', failed],
      ['bob', started],
      ['bob', added],
    ];
    expect(agentsAfter(history)).toMatchObject({
      ada: { status: 'failed', executionEnd: at(3) },
      bob: { status: 'completed', executionStart: at(4), executionEnd: at(5), retries: 0 },
    });
    expect(
      agentsAfter([
        ['ada', started],
        ['bob', added],
      ]),
    ).toMatchObject({
      ada: { status: 'pending', executionStart: at(2), executionEnd: null },
      bob: { status: 'completed', executionStart: null, executionEnd: at(3) },
    });
  });

  it('keeps its start when others begin its steps', () => {
    const taken: Did[] = [
      ['ada', started],
      ['ada', failed],
      ['ada', started],
      ['ada', added],
      ['bob', started],
    ];
    expect(agentsAfter(taken)).toMatchObject({
      ada: { status: 'completed', executionStart: at(2), executionEnd: at(5), retries: 1 },
      bob: { status: 'in_progress', executionStart: at(6), executionEnd: null, retries: 0 },
    });
    expect(agentsAfter([...taken, ['bob', failed], ['ada', started]])).toMatchObject({
      ada: { status: 'in_progress', executionStart: at(2), retries: 2 },
      bob: { status: 'failed', executionStart: at(6), executionEnd: at(7), retries: 0 },
    });
    expect(
      agentsAfter([
        ['ada', started],
        ['bob', started],
      ]),
    ).toMatchObject({
      ada: { status: 'pending', executionStart: at(2), executionEnd: null },
      bob: { status: 'in_progress', executionStart: at(3) },
    });
  });

  it('is one of seventeen at most of whom a step says when they began it, the last of them', () => {
    const names = Array.from({ length: 18 }, (_, n) => `agent-${n}`);
    const agents = agentsAfter(names.map((name): Did => [name, started]));
    expect(Object.keys(agents).toSorted()).toEqual(names.slice(1).toSorted());
  });

  it('keeps its end when others do its steps again', () => {
    const again: Did[] = [
      ['ada', started],
      ['ada', added],
      ['bob', added],
    ];
    expect(agentsAfter(again)).toMatchObject({
      ada: { status: 'completed', executionStart: at(2), executionEnd: at(3) },
      bob: { status: 'completed', executionEnd: at(4) },
    });
    expect(agentsAfter([...again, ['bob', started], ['bob', failed]])).toMatchObject({
      ada: { status: 'completed', executionEnd: at(3) },
      bob: { status: 'failed', executionEnd: at(6) },
    });
  });

  it('has completed what it ended, also by rows that say nothing of endings', () => {
    const state = contextAfter(created)
      .apply(recordContextEvent(started, 2, { principal: 'ada' }))
      .apply(recordContextEvent(added, 3, { principal: 'ada' }));
    const before = Array.from(state.values(), (item) => ({
      ...item,
      state: without(item.state, ['endings']),
    }));
    expect(renderAgents(before)).toEqual(renderAgents([...state.values()]));
  });

  it('is one of sixteen at most who have ended a step, the last of them', () => {
    const names = Array.from({ length: 17 }, (_, n) => `agent-${n}`);
    const state = names.reduce(
      (before, agentId, n) =>
        before.apply(recordContextEvent(added, n + 2, { origin: { agentId, timestamp: null } })),
      contextAfter(created),
    );
    const endings = stepEndings(state.get('step', 's')?.state ?? {});
    expect(endings.map(({ agentId }) => agentId)).toEqual(names.slice(1));
  });

  it('completes a task that it has not started, and none that another works on', () => {
    const planned = did('TaskPlanned', { taskId: 't', title: 'x' });
    const begun = did('TaskStarted', { taskId: 't' });
    const done = did('TaskCompleted', { taskId: 't' });
    expect(
      agentsAfter([
        ['ada', planned],
        ['bob', done],
      ]),
    ).toMatchObject({ bob: { status: 'completed', executionStart: null, executionEnd: at(3) } });
    const byAnother: Did[] = [
      ['ada', planned],
      ['ada', begun],
      ['bob', done],
    ];
    expect(agentsAfter(byAnother)).toMatchObject({
      ada: { status: 'pending', executionStart: at(3), executionEnd: null },
      bob: { status: 'completed', executionStart: null, executionEnd: at(4) },
    });
    const assigned = did('TaskStarted', { taskId: 't', agent: 'bob' });
    const byAssigner: Did[] = [
      ['ada', planned],
      ['ada', assigned],
      ['ada', done],
    ];
    expect(agentsAfter(byAssigner)).toMatchObject({ bob: { status: 'completed' } });
  });

  it('works on tasks as it does on steps', () => {
    const planned = did('TaskPlanned', { taskId: 't', title: 'x' });
    const begun = did('TaskStarted', { taskId: 't', agent: 'bob' });
    const history: Did[] = [
      ['ada', planned],
      ['ada', begun],
    ];
    expect(agentsAfter(history)).toEqual({
      bob: expect.objectContaining({ status: 'in_progress', executionStart: at(3) }),
    });
    const blocked = did('TaskBlocked', { taskId: 't', reason: 'no key' });
    expect(agentsAfter([...history, ['ada', blocked]])).toMatchObject({
      bob: { status: 'in_progress', executionEnd: null },
    });
    expect(agentsAfter([...history, ['bob', did('TaskCompleted', { taskId: 't' })]])).toEqual({
      bob: expect.objectContaining({
        status: 'completed',
        executionStart: at(3),
        executionEnd: at(4),
      }),
    });
  });

  it('works on phases as it does on steps, each by who does it', () => {
    const begun = did('PhaseStarted', { phase: 'l1_design', agent: 'ada' });
    const done = did('PhaseCompleted', { phase: 'l1_design', agent: 'bob' });
    expect(agentsAfter([['orchestrator', begun]])).toEqual({
      ada: expect.objectContaining({ status: 'in_progress', executionStart: at(2) }),
    });
    const over: Did[] = [
      ['orchestrator', begun],
      ['orchestrator', done],
    ];
    expect(agentsAfter(over)).toEqual({
      ada: expect.objectContaining({ status: 'pending', executionStart: at(2) }),
      bob: expect.objectContaining({ status: 'completed', executionEnd: at(3) }),
    });
    expect(agentsAfter([...over, ['orchestrator', begun]])).toMatchObject({
      ada: { status: 'in_progress', executionEnd: null },
      bob: { status: 'completed', executionEnd: at(3) },
    });
  });

  it('has the last word of several things it did', () => {
    const other = did('StepFailed', { stepId: 'other', reason: 'r' });
    expect(
      agentsAfter([
        ['ada', added],
        ['ada', other],
      ]),
    ).toMatchObject({
      ada: { status: 'failed', executionEnd: at(3) },
    });
    expect(
      agentsAfter([
        ['ada', other],
        ['ada', added],
        ['ada', started],
      ]),
    ).toMatchObject({
      ada: { status: 'in_progress', executionEnd: null },
    });
  });
});

describe('agents of the registry', () => {
  const agent = (agentId: string, ...needs: readonly string[]): RegisteredAgent => ({
    agentId,
    name: agentId.toUpperCase(),
    role: 'r',
    kind: 'llm',
    required: needs.map((one) => `${one}.outputs.x`),
    optional: ['global_context.a'],
    needs,
    thresholds: [],
  });
  const registry = [
    agent('architect', 'pm'),
    agent('pm', 'ada'),
    agent('ada'),
    agent('other', 'nobody'),
  ];

  it('are pending while they wait for an agent that takes part, and none else is shown', () => {
    const agents = agentsAfter([['ada', started]], registry);
    expect(Object.keys(agents)).toEqual(['ada', 'architect', 'pm']);
    expect(agents['pm']).toEqual({
      name: 'PM',
      role: 'r',
      kind: 'llm',
      inputs: { required: ['ada.outputs.x'], optional: ['global_context.a'] },
      status: 'pending',
      executionStart: null,
      executionEnd: null,
      retries: 0,
      outputs: {},
    });
    expect(agents['ada']).toMatchObject({ name: 'ADA', status: 'in_progress' });
  });

  it('show nowhere but where somebody works', () => {
    expect(agentsAfter([], registry)).toEqual({});
  });

  it('take part where their inputs were checked or their outputs scored', () => {
    const checked = did('AgentInputsChecked', {
      agent: 'other',
      agentVersion: 1,
      checkedVersion: 1,
      missing: [],
      failed: [],
    });
    const scored = did('QualityScored', { agent: 'gone', output: 'x', scores: { a: 1 } });
    const agents = agentsAfter(
      [
        ['ada', checked],
        ['ada', scored],
      ],
      registry,
    );
    expect(agents).toMatchObject({ other: { name: 'OTHER', status: 'pending' } });
    expect(agents['gone']).toMatchObject({ status: 'pending', outputs: {} });
    expect(Object.keys(agents)).toEqual(['gone', 'other']);
  });
});
