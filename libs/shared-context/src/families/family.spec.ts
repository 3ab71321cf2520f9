import fc from 'fast-check';

import { contextAfter, contextCommand, contextFrom, did } from '#testing';

import { type NewContextEvent } from '../context.events.js';
import { type Activity, noActivity } from '../outcome/activity.js';
import { contextOutcomes, outcomeOf } from '../outcome/context-outcome.js';
import { activityOf } from '../steps/step.activity.js';
import { type Child, renderFamily, renderPastFamily } from './family.document.js';
import { visibleChild } from './visible-child.js';

const created = did('ContextCreated', { title: 'Sign in', parent: 'epic-1' });
const started = did('StepStarted', { stepId: 'build' });
const done = did('StepOutputAdded', { stepId: 'build', output: 1 });
const failed = did('StepFailed', { stepId: 'build', reason: 'r' });
const closed = did('ContextClosed', {});

function child(contextId: string, ...events: readonly NewContextEvent[]): Child {
  return visibleChild(contextId, contextAfter(created, ...events).values());
}

describe('the outcome of a child', () => {
  it.each([
    ['not_started', []],
    ['in_progress', [started]],
    ['unknown', [started, done]],
    ['failed', [started, failed]],
    ['unknown', [started, failed, done]],
    ['completed', [closed]],
    ['unknown', [started, closed]],
    ['completed', [started, done, closed]],
    ['failed', [started, failed, closed]],
  ])('is %s after these events', (outcome, events) => {
    expect(outcomeOf(child('story-1', ...events).activity)).toBe(outcome);
  });

  it('is a known one after any events', () => {
    fc.assert(
      fc.property(fc.array(contextCommand, { maxLength: 30 }), (commands) => {
        const { state } = contextFrom(commands);
        const visible = visibleChild('c', state.values());
        expect(contextOutcomes).toContain(outcomeOf(visible.activity));
        expect(visible.activity).toEqual(activityOf([...state.values()]));
      }),
    );
  });
});

describe('the document of a parent', () => {
  it('lists no children if there are none', () => {
    expect(renderFamily([])).toEqual({ children: [] });
  });

  it('lists children with their outcomes', () => {
    const { children } = renderFamily([
      child('story-1', started),
      child('story-2', started, failed),
    ]);
    expect(children).toEqual([
      {
        contextId: 'story-1',
        title: 'Sign in',
        status: 'open',
        outcome: 'in_progress',
        phase: null,
        activeAgent: 'tester',
        createdAt: '2026-01-01T00:00:01.000Z',
      },
      expect.objectContaining({ contextId: 'story-2', outcome: 'failed', activeAgent: null }),
    ]);
  });

  it('counts children by outcome, and measures their total duration', () => {
    const { executionSummary } = renderFamily([
      child('story-1', started, done, closed),
      child('story-2', started, failed),
      child('story-3', started),
      child('story-4'),
    ]);
    expect(executionSummary).toEqual({
      total: 4,
      completed: 1,
      failed: 1,
      cancelled: 0,
      skipped: 0,
      blocked: 0,
      inProgress: 1,
      waiting: 0,
      notStarted: 1,
      unknown: 0,
      durationSeconds: 3,
    });
  });

  it('counts children that are too many to be listed', () => {
    const times = { createdAt: '2026-01-01T00:00:00Z', modifiedAt: '2026-01-01T00:45:00Z' };
    const of = (activity: Activity, count: number) => ({
      status: 'open',
      activity,
      count,
      ...times,
    });
    const counted = [
      of({ ...noActivity, lastEnded: 'approved' }, 8),
      of({ ...noActivity, lastEnded: 'failed', failing: 1 }, 1),
    ];
    expect(renderFamily([child('story-1')], counted)).toMatchObject({
      children: [{ contextId: 'story-1' }],
      executionSummary: { total: 9, completed: 8, failed: 1, durationSeconds: 2700 },
    });
  });

  it('lists only the identity of children for the past', () => {
    expect(renderPastFamily([child('story-1', started)])).toEqual({
      children: [{ contextId: 'story-1', title: 'Sign in', createdAt: '2026-01-01T00:00:01.000Z' }],
    });
  });
});
