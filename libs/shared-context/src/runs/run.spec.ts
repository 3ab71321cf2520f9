import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider, requiredKeys } from '../context.decider.js';
import { type NewContextEvent } from '../context.events.js';
import { type ContextState } from '../context-state.js';
import { rebase } from '../lineage/lineage.js';
import { outputAt } from './frozen-outputs.js';
import { renderRun } from './run.document.js';
import { RunConflictError } from './run.errors.js';
import { activeMsAt, isActiveRun } from './run.facts.js';
import { findRun, findRunStep, frozenOutputsKey } from './run.item.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const hash = 'ab'.repeat(32);
const started = did('RunStarted', {
  runId: 'r1',
  at: timeAt(0),
  interpreter: 1,
  epoch: 'e',
  maxDurationMs: 300_000,
  input: { task: 'dark mode' },
  definition: { definitionId: 'feature', version: 1, hash },
  steps: ['plan', 'checks', 'unit', 'e2e', 'approve'],
});
const cancelled = did('RunCancelled', { runId: 'r1', at: timeAt(50) });
const planned = scheduled('plan', { at: 1, agent: 'planner' });
const claimed = did('StepAttemptStarted', {
  ...visit('plan', 1, 2),
  attempt: 1,
  tokenHash: hash,
  effectKey: hash,
  deadline: timeAt(62),
});

describe('the steps of an active run', () => {
  const output = { type: 'AddStepOutput', data: { stepId: 'plan', output: 1 } } as const;

  it.each([
    output,
    { type: 'StartStep', data: { stepId: 'plan' } } as const,
    { type: 'FailStep', data: { stepId: 'plan', reason: 'no' } } as const,
  ])('can be written only by its attempts: $type is refused', (command) => {
    given(created, started).when(command).thenRefused(RunConflictError, { code: 'run-state' });
  });

  it('can be written after the run has ended; other steps always can', () => {
    given(created, started, cancelled).when(output).then(did('StepOutputAdded', output.data));
    given(created, started)
      .when({ type: 'StartStep', data: { stepId: 'notes' } })
      .then(did('StepStarted', { stepId: 'notes' }));
  });

  it('are checked with a fixed number of items', () => {
    const keys = requiredKeys(output, () => undefined).map(({ kind }) => kind);
    expect(keys).toEqual(['life', 'step', 'run', 'run-step']);
  });
});

describe('a context with an active run', () => {
  it('cannot be closed or restored before the run has ended', () => {
    const close = { type: 'CloseContext', data: {} } as const;
    const restore = { type: 'RestoreContext', data: { version: 1 } } as const;
    given(created, started).when(close).thenRefused(RunConflictError, { code: 'run-state' });
    given(created, started).when(restore).thenRefused(RunConflictError, { code: 'run-state' });
    given(created, started, cancelled).when(close).then(did('ContextClosed', {}));
    given(created, started, cancelled)
      .when(restore)
      .then(did('ContextRestored', { version: 1 }));
  });
});

describe('a restore or a fork', () => {
  const atBase = contextAfter(created, started, planned, claimed);

  it('does not bring back or inherit a run', () => {
    const now = contextAfter(created, started, planned, claimed, cancelled);
    const restored = rebase(
      { contextId: 'c', version: 4, forked: false },
      ...([now.values(), atBase.values()] as const),
    );
    expect(findRun(restored.lookup)?.status).toBe('cancelled');
    const base = { contextId: 'other', version: 4, forked: true };
    const forked = rebase(base, [], atBase.values());
    expect(findRun(forked.lookup)).toBeUndefined();
    expect(findRunStep('plan', forked.lookup)).toBeUndefined();
  });
});

describe('the folded run', () => {
  it('counts visits, not attempts, and lists the open ones', () => {
    const retried = scheduled('plan', { at: 9, agent: 'planner', attempt: 2 });
    const run = runAfter(started, planned, claimed, failedAttempt(8), retried);
    expect(run).toMatchObject({ iterations: 1, active: ['plan'], working: 1, events: 5 });
  });

  it('ends visits when they are routed, and retains the last hundred', () => {
    const rounds = Array.from({ length: 120 }, (_, at) => [
      scheduled('plan', { at: at + 1, visit: at + 1 }),
      routed('plan', { at: at + 1, visit: at + 1 }),
    ]);
    const run = runAfter(started, ...rounds.flat());
    expect(run).toMatchObject({ iterations: 120, active: [], working: 0 });
    expect(run?.previousSteps).toHaveLength(100);
  });

  it('counts only unhandled failures', () => {
    const outcome = 'failed';
    const events = [planned, routed('plan', { at: 2, outcome, handled: true })];
    expect(runAfter(started, ...events)).toMatchObject({ errors: 0 });
    expect(runAfter(started, planned, routed('plan', { at: 2, outcome }))).toMatchObject({
      errors: 1,
    });
  });

  it('does not count the time in which it only waits for people', () => {
    const request = did('ApprovalRequested', {
      ...visit('approve', 1, 10),
      approvalId: 'a',
      message: 'Approve?',
      authors: [],
    });
    const asking = [scheduled('approve', { at: 10 }), request];
    const alone = runAfter(started, ...asking);
    expect(alone && activeMsAt(alone, timeAt(1_000))).toBe(10_000);
    const withWork = runAfter(started, planned, ...asking);
    expect(withWork && activeMsAt(withWork, timeAt(1_000))).toBe(1_000_000);
    const decision = { ...visit('approve', 1, 70), approvalId: 'a', decision: 'approved' } as const;
    const decided = runAfter(started, ...asking, did('ApprovalDecided', decision));
    expect(decided && activeMsAt(decided, timeAt(75))).toBe(15_000);
  });

  it('does not subtract time if a clock goes back', () => {
    const back = { ...visit('plan', 1, -3_600), attempt: 1, reason: 'no', retryable: false };
    const run = runAfter(started, planned, did('StepAttemptFailed', back));
    expect(run).toMatchObject({ activeMs: 1_000, clockAt: timeAt(1) });
  });

  it('is replaced by a new run without visited steps', () => {
    const { data } = started;
    const next = { ...started, data: { ...data, runId: 'r2', steps: ['plan'] } } as NewContextEvent;
    const { lookup } = contextAfter(created, started, planned, claimed, cancelled, next);
    expect(findRun(lookup)).toMatchObject({ runId: 'r2', iterations: 0, active: [] });
    expect(findRunStep('plan', lookup)).toMatchObject({ status: 'idle', tokenHash: null });
    expect(findRunStep('unit', lookup)).toBeUndefined();
  });

  it('ignores events of an unknown run', () => {
    const { lookup } = contextAfter(created, planned, claimed, cancelled, output('plan', 1, 3));
    expect(findRun(lookup)).toBeUndefined();
    const other = { ...cancelled, data: { runId: 'r0', at: timeAt(9) } } as NewContextEvent;
    expect(isActiveRun(runAfter(started, other))).toBe(true);
  });
});

describe('outputs that branches read', () => {
  const branch = (stepId: string, round: number, at: number) =>
    scheduled(stepId, { at, visit: round, parallel: 'checks' });
  const round = (visitOf: number, at: number) => [
    scheduled('checks', { at, visit: visitOf }),
    branch('unit', visitOf, at),
    branch('e2e', visitOf, at),
    output('unit', visitOf, at + 1),
    routed('unit', { at: at + 1, visit: visitOf }),
  ];
  const joined = [output('e2e', 1, 3), routed('e2e', { at: 3 }), routed('checks', { at: 3 })];

  it('are retained when newer ones replace them, until the next round', () => {
    const second = contextAfter(created, started, ...round(1, 2), ...joined, ...round(2, 10));
    const unit = findRunStep('unit', second.lookup);
    expect(unit?.results.map(({ path }) => path)).toEqual(['unit#1', 'unit#2']);
    expect(unit?.results.map(({ version }) => valueOf(second, version))).toEqual([
      { of: 'unit#1' },
      { of: 'unit#2' },
    ]);
    const ends = [output('e2e', 2, 12), routed('e2e', { at: 12, visit: 2 })];
    const joint = [...ends, routed('checks', { at: 12, visit: 2 })];
    const third = contextAfter(
      created,
      started,
      ...round(1, 2),
      ...joined,
      ...round(2, 10),
      ...joint,
      ...round(3, 20),
    );
    const results = findRunStep('unit', third.lookup)?.results ?? [];
    expect(results.map(({ path }) => path)).toEqual(['unit#2', 'unit#3']);
    expect(results.map(({ version }) => valueOf(third, version))).toEqual([
      { of: 'unit#2' },
      { of: 'unit#3' },
    ]);
  });

  it('are not retained outside of parallel steps', () => {
    const again = [scheduled('plan', { at: 4, visit: 2 }), output('plan', 2, 5)];
    const { lookup } = contextAfter(created, started, planned, output('plan', 1, 3), ...again);
    expect(findRunStep('plan', lookup)?.results.map(({ path }) => path)).toEqual(['plan#2']);
    const { kind, key } = frozenOutputsKey('plan');
    expect(lookup(kind, key)).toBeUndefined();
  });

  function valueOf({ lookup }: ContextState, version: number) {
    const { kind, key } = frozenOutputsKey('unit');
    return outputAt({ newest: lookup('step-output', 'unit'), frozen: lookup(kind, key) }, version);
  }
});

describe('the cause of a visit', () => {
  it('is the failure that it handles, also after a step without an agent', () => {
    const failed = routed('plan', { at: 9, outcome: 'failed', handled: true, to: 'checks' });
    const passed = [scheduled('checks', { at: 9, from: 'plan' }), routed('checks', { at: 9 })];
    const { lookup } = contextAfter(
      created,
      started,
      planned,
      claimed,
      failedAttempt(8),
      failed,
      ...passed,
      scheduled('unit', { at: 9, from: 'checks', agent: 'fixer' }),
    );
    expect(findRunStep('unit', lookup)?.handles).toEqual({
      stepId: 'plan',
      path: 'plan#1',
      message: 'it does not compile',
      code: null,
      attempts: 1,
    });
  });

  it('is the comment on an approval', () => {
    const decision = { ...visit('approve', 1, 3), approvalId: 'a', decision: 'rejected' } as const;
    const { lookup } = contextAfter(
      created,
      started,
      scheduled('approve', { at: 2 }),
      did('ApprovalDecided', { ...decision, comment: 'too broad' }),
      routed('approve', { at: 3, outcome: 'rejected', to: 'plan' }),
      scheduled('plan', { at: 3, from: 'approve', agent: 'planner' }),
    );
    expect(findRunStep('plan', lookup)?.feedback).toBe('too broad');
  });
});

describe('imported events of a run', () => {
  const imported = { origin: { agentId: 'elsewhere', timestamp: timeAt(9) } };
  const decided = did('ApprovalDecided', {
    ...visit('approve', 1, 4),
    approvalId: 'a',
    decision: 'approved',
  });

  it.each([
    ['the beginning', [{ ...started, ...imported }]],
    ['a decision', [started, scheduled('approve', { at: 2 }), { ...decided, ...imported }]],
    ['an output', [started, planned, claimed, { ...output('plan', 1, 5), ...imported }]],
  ])('remove the run from its epoch, so that it does not continue: %s', (_, events) => {
    const { lookup } = contextAfter(created, ...events);
    expect(findRun(lookup)).toMatchObject({ status: 'running', epoch: null });
  });

  it('do not include events of this store, which leave the run in its epoch', () => {
    const { lookup } = contextAfter(created, started, scheduled('approve', { at: 2 }), decided);
    expect(findRun(lookup)).toMatchObject({ epoch: 'e' });
  });
});

describe('the run in the document', () => {
  it('shows its active steps and the results of the others', () => {
    const state = contextAfter(created, started, planned, claimed);
    expect(renderRun('c1', [...state.values()], state.lookup)).toMatchObject({
      runId: 'r1',
      status: 'running',
      success: null,
      definition: { definitionId: 'feature', version: 1, hash },
      metadata: { currentStep: 'plan', iterationCount: 1, errorCount: 0, previousSteps: [] },
      active: [{ stepId: 'plan', path: 'plan#1', status: 'running', agent: 'planner' }],
    });
    const done = [output('plan', 1, 5), routed('plan', { at: 5 })];
    const ended = did('RunCompleted', { runId: 'r1', at: timeAt(5), outcome: 'completed' });
    const after = contextAfter(created, started, planned, claimed, ...done, ended);
    expect(renderRun('c1', [...after.values()], after.lookup)).toMatchObject({
      status: 'completed',
      success: true,
      active: [],
      endedAt: timeAt(5),
      results: [{ stepId: 'plan', success: true, error: null, duration: 3_000, version: 5 }],
    });
  });

  it('is null if there is none', () => {
    const state = contextAfter(created);
    expect(renderRun('c1', [...state.values()], state.lookup)).toBeNull();
  });
});

type Facts = Readonly<{ at: number; visit?: number }>;

function scheduled(
  stepId: string,
  {
    ...facts
  }: Facts & Readonly<{ agent?: string; attempt?: number; parallel?: string; from?: string }>,
) {
  const { at, visit: nth = 1, attempt = 1, ...more } = facts;
  return did('StepScheduled', { ...visit(stepId, nth, at), attempt, dueAt: timeAt(at), ...more });
}

function routed(
  stepId: string,
  facts: Facts & Readonly<{ outcome?: 'failed' | 'rejected'; handled?: true; to?: string }>,
) {
  const { at, visit: nth = 1, outcome = 'completed', to = null, ...more } = facts;
  return did('StepRouted', { ...visit(stepId, nth, at), outcome, to, ...more });
}

function output(stepId: string, nth: number, at: number) {
  const { path, ...of } = visit(stepId, nth, at);
  const run = { runId: of.runId, at: of.at, path, visit: nth, attempt: 1 };
  return did('StepOutputAdded', { stepId, output: { of: path }, run });
}

function failedAttempt(at: number) {
  const failure = { reason: 'it does not compile', retryable: true, attempt: 1 };
  return did('StepAttemptFailed', { ...visit('plan', 1, at), ...failure });
}

function runAfter(...events: readonly NewContextEvent[]) {
  return findRun(contextAfter(created, ...events).lookup);
}

/** A time in seconds after the start of the run. */
function timeAt(seconds: number): string {
  return new Date(Date.UTC(2026, 10, 25, 18) + seconds * 1_000).toISOString();
}

/** The members that identify a visit in its events. */
function visit(stepId: string, nth: number, seconds: number) {
  return { runId: 'r1', at: timeAt(seconds), stepId, path: `${stepId}#${nth}`, visit: nth };
}
