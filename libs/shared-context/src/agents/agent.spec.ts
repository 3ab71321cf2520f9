import { contextAfter, did, recordContextEvent } from '#testing';

import { type NewContextEvent } from '../context.events.js';
import { without } from '../json.js';
import { stepEndings } from '../steps/step.fold.js';
import { renderAgents } from './agent.document.js';
import { type RegisteredAgent } from '../registered-agent.js';

const created = did('ContextCreated', {});
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

/** An event after the creation, and the agent that wrote it. */
type AgentEvent = readonly [agentId: string, event: NewContextEvent];

function agentsAfter(history: readonly AgentEvent[], registry: readonly RegisteredAgent[] = []) {
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
  it('is in progress after its first start', () => {
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

  it('is completed after an output, with its start and end times', () => {
    const named = did('StepOutputAdded', { stepId: 's', output: 1, name: 'brief' });
    const history: AgentEvent[] = [
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

  it('has an end but no start if no start was recorded', () => {
    expect(agentsAfter([['ada', added]])).toMatchObject({
      ada: { status: 'completed', executionStart: null, executionEnd: at(2) },
    });
  });

  it('counts restarts after a failure as retries', () => {
    const attempts: AgentEvent[] = [
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

  it('is distinguished from agents that take over its steps', () => {
    const history: AgentEvent[] = [
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

  it('retains its start time when other agents start its steps', () => {
    const taken: AgentEvent[] = [
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

  it('has its start retained by a step if it is among the last seventeen agents', () => {
    const names = Array.from({ length: 18 }, (_, n) => `agent-${n}`);
    const agents = agentsAfter(names.map((name): AgentEvent => [name, started]));
    expect(Object.keys(agents).toSorted()).toEqual(names.slice(1).toSorted());
  });

  it('retains its end when other agents repeat its steps', () => {
    const again: AgentEvent[] = [
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

  it('is completed after an output, also from rows without recorded ends', () => {
    const state = contextAfter(created)
      .apply(recordContextEvent(started, 2, { principal: 'ada' }))
      .apply(recordContextEvent(added, 3, { principal: 'ada' }));
    const before = Array.from(state.values(), (item) => ({
      ...item,
      state: without(item.state, ['endings']),
    }));
    expect(renderAgents(before)).toEqual(renderAgents([...state.values()]));
  });

  it('has its end retained by a step if it is among the last sixteen agents', () => {
    const names = Array.from({ length: 17 }, (_, n) => `agent-${n}`);
    const state = names.reduce(
      (before, agentId, n) =>
        before.apply(recordContextEvent(added, n + 2, { origin: { agentId, timestamp: null } })),
      contextAfter(created),
    );
    const endings = stepEndings(state.get('step', 's')?.state ?? {});
    expect(endings.map(({ agentId }) => agentId)).toEqual(names.slice(1));
  });

  it('completes a task that no agent started, but not a task on which another agent works', () => {
    const planned = did('TaskPlanned', { taskId: 't', title: 'x' });
    const begun = did('TaskStarted', { taskId: 't' });
    const done = did('TaskCompleted', { taskId: 't' });
    expect(
      agentsAfter([
        ['ada', planned],
        ['bob', done],
      ]),
    ).toMatchObject({ bob: { status: 'completed', executionStart: null, executionEnd: at(3) } });
    const byAnother: AgentEvent[] = [
      ['ada', planned],
      ['ada', begun],
      ['bob', done],
    ];
    expect(agentsAfter(byAnother)).toMatchObject({
      ada: { status: 'pending', executionStart: at(3), executionEnd: null },
      bob: { status: 'completed', executionStart: null, executionEnd: at(4) },
    });
    const assigned = did('TaskStarted', { taskId: 't', agent: 'bob' });
    const byAssigner: AgentEvent[] = [
      ['ada', planned],
      ['ada', assigned],
      ['ada', done],
    ];
    expect(agentsAfter(byAssigner)).toMatchObject({ bob: { status: 'completed' } });
  });

  it('is in progress and completed by tasks, as by steps', () => {
    const planned = did('TaskPlanned', { taskId: 't', title: 'x' });
    const begun = did('TaskStarted', { taskId: 't', agent: 'bob' });
    const history: AgentEvent[] = [
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

  it('is in progress and completed by phases, according to the agent named in each event', () => {
    const begun = did('PhaseStarted', { phase: 'l1_design', agent: 'ada' });
    const done = did('PhaseCompleted', { phase: 'l1_design', agent: 'bob' });
    expect(agentsAfter([['orchestrator', begun]])).toEqual({
      ada: expect.objectContaining({ status: 'in_progress', executionStart: at(2) }),
    });
    const over: AgentEvent[] = [
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

  it('has the status of its latest work', () => {
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

describe('registered agents', () => {
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

  it('are shown as pending if they need an agent that takes part, and hidden otherwise', () => {
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

  it('are not shown in a context without work', () => {
    expect(agentsAfter([], registry)).toEqual({});
  });

  it('take part if their inputs were checked or their outputs scored', () => {
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
