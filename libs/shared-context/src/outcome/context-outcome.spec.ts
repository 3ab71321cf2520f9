import { contextAfter, did } from '#testing';

import { type NewContextEvent } from '../context.events.js';
import { activityOf } from '../steps/step.activity.js';
import { noActivity } from './activity.js';
import { outcomeOf } from './context-outcome.js';
import { renderCurrentState } from './current-state.js';

const created = did('ContextCreated', {});
const started = did('StepStarted', { stepId: 'build' });
const done = did('StepOutputAdded', { stepId: 'build', output: 1 });
const failed = did('StepFailed', { stepId: 'build', reason: 'r' });
const planned = did('TaskPlanned', { taskId: 't', title: 'T' });
const taskDone = did('TaskCompleted', { taskId: 't' });
const taskBlocked = did('TaskBlocked', { taskId: 't', reason: 'r' });
const otherTask = [
  did('TaskPlanned', { taskId: 'u', title: 'U' }),
  did('TaskStarted', { taskId: 'u' }),
  did('TaskCompleted', { taskId: 'u' }),
];
const closed = did('ContextClosed', {});
const reopened = did('ContextReopened', {});
const blocker = did('BlockerRaised', { blockerId: 'B-1', description: 'd' });
const cleared = did('BlockerCleared', { blockerId: 'B-1' });
const handover = did('HandoverNoted', {
  handoverId: 'H',
  to: 'sdd-pe',
  priority: 'critical',
  note: 'n',
} as const);
const acknowledged = did('HandoverAcknowledged', { handoverId: 'H' });
const requested = did('InputRequested', { inputRequestId: 'I', path: 'p', from: 'x' });
const proposed = did('DecisionRecorded', {
  decisionId: 'DEC-001',
  decision: 'd',
  requiresApproval: true,
} as const);
const approvedDecision = did('DecisionApproved', { decisionId: 'DEC-001' });
const tripped = did('CircuitBreakerTripped', { subject: 's', current: 3, max: 3 });
const phaseDone = did('PhaseCompleted', { phase: 'review' });

type Status = 'APPROVED' | 'APPROVED_WITH_FIXES' | 'REJECTED_WITH_FEEDBACK' | 'BLOCKED';

const review = (reviewId: string, status: Status, artifact = 'a.md') =>
  did('ReviewRecorded', { reviewId, artifact, status, keyIssues: [] });
const issueFound = (severity: 'critical' | 'low') =>
  did('ReviewRecorded', {
    reviewId: 'r',
    artifact: 'a.md',
    status: 'APPROVED',
    keyIssues: [{ issueId: 'r.1', severity, text: 't' }],
  } as const);
type Signal =
  | 'IMPLEMENTATION BLOCKED'
  | 'IMPLEMENTATION COMPLETE'
  | 'REVIEW PASSED'
  | 'REVIEW FAILED'
  | 'KICKOFF COMPLETE'
  | 'RETRO COMPLETE';
const signal = (name: Signal, subject = 's-1') => did('SignalEmitted', { signal: name, subject });
const closing = (outcome: 'completed' | 'failed' | 'cancelled' | 'skipped') =>
  did('ContextClosed', { outcome });

const activityAfter = (events: readonly NewContextEvent[]) =>
  activityOf([...contextAfter(created, ...events).values()]);

describe('the outcome of a context', () => {
  it.each<readonly [string, readonly NewContextEvent[]]>([
    ['not_started', []],
    ['not_started', [planned]],
    ['not_started', [signal('KICKOFF COMPLETE')]],
    ['in_progress', [started]],
    ['in_progress', [review('r1', 'REJECTED_WITH_FEEDBACK'), started]],
    ['unknown', [started, done]],
    ['unknown', [done, signal('IMPLEMENTATION COMPLETE')]],
    ['failed', [started, failed]],
    ['failed', [failed, did('StepOutputAdded', { stepId: 'other', output: 1 })]],
    ['failed', [done, review('r1', 'REJECTED_WITH_FEEDBACK')]],
    ['failed', [done, review('r1', 'REJECTED_WITH_FEEDBACK'), review('r2', 'APPROVED', 'b.md')]],
    ['failed', [done, signal('REVIEW FAILED')]],
    ['failed', [taskDone, planned, taskDone, review('r1', 'REJECTED_WITH_FEEDBACK')]],
    ['blocked', [signal('IMPLEMENTATION BLOCKED')]],
    ['blocked', [started, signal('IMPLEMENTATION BLOCKED')]],
    ['blocked', [done, review('r1', 'BLOCKED')]],
    ['blocked', [blocker]],
    ['blocked', [done, signal('REVIEW PASSED'), blocker]],
    ['blocked', [tripped]],
    ['blocked', [planned, taskBlocked]],
    ['blocked', [planned, taskBlocked, ...otherTask]],
    ['blocked', [...otherTask, planned, did('TaskStarted', { taskId: 't' }), taskBlocked]],
    ['in_progress', [planned, taskBlocked, did('TaskStarted', { taskId: 't' })]],
    ['completed', [planned, taskBlocked, taskDone]],
    ['unknown', [done, blocker, cleared]],
    ['unknown', [signal('IMPLEMENTATION BLOCKED'), signal('IMPLEMENTATION COMPLETE')]],
    ['waiting', [handover]],
    ['waiting', [done, requested]],
    ['waiting', [done, signal('REVIEW PASSED'), proposed]],
    ['waiting', [done, planned]],
    ['waiting', [done, issueFound('critical')]],
    ['unknown', [done, handover, acknowledged]],
    ['unknown', [done, proposed, approvedDecision]],
    ['completed', [done, issueFound('low')]],
    ['completed', [done, review('r1', 'REJECTED_WITH_FEEDBACK'), review('r2', 'APPROVED')]],
    ['completed', [done, signal('IMPLEMENTATION COMPLETE'), signal('REVIEW PASSED')]],
    ['completed', [done, signal('REVIEW PASSED'), phaseDone]],
    ['completed', [signal('RETRO COMPLETE')]],
    ['completed', [planned, taskDone]],
    ['unknown', [signal('REVIEW PASSED'), done]],
    ['unknown', [phaseDone]],
  ])('is %s for an open context', (outcome, events) => {
    expect(outcomeOf(activityAfter(events))).toBe(outcome);
  });

  it.each<readonly [string, readonly NewContextEvent[]]>([
    ['completed', [closed]],
    ['completed', [started, done, closed]],
    ['failed', [started, failed, closed]],
    ['failed', [done, review('r1', 'REJECTED_WITH_FEEDBACK'), closed]],
    ['blocked', [done, signal('IMPLEMENTATION BLOCKED'), closed]],
    ['blocked', [done, blocker, closed]],
    ['blocked', [planned, taskBlocked, ...otherTask, closed]],
    ['unknown', [started, closed]],
    ['unknown', [done, planned, closed]],
    ['unknown', [done, handover, closed]],
    ['unknown', [done, issueFound('critical'), closed]],
    ['unknown', [done, closed, reopened]],
  ])('is %s for a context that is closed without one', (outcome, events) => {
    expect(outcomeOf(activityAfter(events))).toBe(outcome);
  });

  it.each(['completed', 'failed', 'cancelled', 'skipped'] as const)(
    'is %s if the closing states it, with any other events',
    (outcome) => {
      for (const events of [[], [started], [failed], [blocker], [signal('REVIEW PASSED')]])
        expect(outcomeOf(activityAfter([...events, closing(outcome)]))).toBe(outcome);
      expect(outcomeOf(activityAfter([closing(outcome), reopened]))).toBe('not_started');
    },
  );

  it('is unknown for rows without counted work, unless something runs or is blocked', () => {
    const before = { ...noActivity, counted: false, lastEnded: 'completed' } as const;
    expect(outcomeOf(before)).toBe('unknown');
    expect(outcomeOf({ ...before, running: 1 })).toBe('in_progress');
    expect(outcomeOf({ ...before, tripped: 1 })).toBe('blocked');
  });
});

describe('the current state', () => {
  it.each<readonly [string, readonly NewContextEvent[]]>([
    ['not_started', []],
    ['completed', [started, done]],
    ['failed', [done, review('r1', 'REJECTED_WITH_FEEDBACK')]],
    ['blocked', [done, signal('IMPLEMENTATION BLOCKED')]],
    ['blocked', [blocker]],
    ['blocked', [planned, taskBlocked, ...otherTask]],
    ['in_progress', [failed, started]],
  ])('is %s', (status, events) => {
    expect(renderCurrentState(activityAfter(events))).toMatchObject({ status });
  });
});
