import { contextFrom, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { renderDocument } from '../context.document.js';
import { type NewContextEvent } from '../context.events.js';
import { ContextState } from '../context-state.js';
import { baselineImported } from './baseline.events.js';

const { given } = specify(contextDecider, recordContextEvent);

type TimedEvent = readonly [minutes: number, event: NewContextEvent];

/** The metrics after these events, whose times are minutes after midnight. */
function metricsAfter(...happened: readonly TimedEvent[]) {
  const recorded = happened.map(([minutes, event], at) =>
    recordContextEvent(event, at + 1, { recordedAt: timeAt(minutes) }),
  );
  const state = recorded.reduce((so, event) => so.apply(event), ContextState.from([]));
  const { metrics } = renderDocument(state.values(), {
    workspace: 'w',
    contextId: 'c',
    version: recorded.length,
    lastModifiedBy: 'tester',
    lastModifiedAt: recorded.at(-1)?.recordedAt ?? '',
    size: { events: 1, bytes: 1, tokens: 1 },
  });
  return metrics;
}

const timeAt = (minutes: number) =>
  new Date(Date.UTC(2025, 9, 16) + minutes * 60_000).toISOString();

const created: TimedEvent = [480, did('ContextCreated', {})];
const started = (phase: string) => did('PhaseStarted', { phase });
const completed = (phase: string) => did('PhaseCompleted', { phase });
const iteration = (subject: string) => did('IterationStarted', { subject });
const review = (reviewId: string, status: 'APPROVED' | 'APPROVED_WITH_FIXES' | 'BLOCKED') =>
  did('ReviewRecorded', { reviewId, artifact: 'l1.md', status, keyIssues: [] });

describe('metrics', () => {
  it('are empty if there is nothing to measure', () => {
    expect(metricsAfter(created, [500, did('StepStarted', { stepId: 's' })])).toEqual({});
  });

  it('count tasks, phases, iterations and reviews', () => {
    const task = (taskId: string) => did('TaskPlanned', { taskId, title: taskId });
    const counted = metricsAfter(
      created,
      ...[task('a'), task('b'), did('TaskCompleted', { taskId: 'a' })].map((event): TimedEvent => [
        490,
        event,
      ]),
      ...['requirements', 'l1_design', 'l2_design'].map((phase): TimedEvent => [
        500,
        completed(phase),
      ]),
      ...['l1_design', 'l1_design', 'l1_design', 'l2_design', 'task_001'].map(
        (subject): TimedEvent => [510, iteration(subject)],
      ),
      [520, review('1', 'BLOCKED')],
      [521, review('2', 'APPROVED')],
      [522, review('3', 'APPROVED_WITH_FIXES')],
      [523, review('4', 'BLOCKED')],
      [524, review('5', 'APPROVED')],
    );
    expect(counted).toMatchObject({
      totalTasks: 2,
      completedTasks: 1,
      phasesCompleted: 3,
      totalIterations: 5,
      averageIterationCount: 1.67,
      reviewIterations: 5,
      reviewPassRate: 0.6,
    });
  });

  it('have no averages without values', () => {
    expect(metricsAfter(created, [490, iteration('l1_design')])).toEqual({
      totalTasks: 0,
      completedTasks: 0,
      phasesCompleted: 0,
      totalIterations: 1,
      averageIterationCount: null,
      reviewIterations: 0,
      reviewPassRate: null,
      timePerPhase: {},
      bottleneckPhase: null,
      totalTimeHours: 0.17,
      estimates: {},
      estimatedVsActualTime: null,
    });
  });

  it('include the duration of each phase over all runs, and the longest phase', () => {
    const measured = metricsAfter(
      created,
      [480, started('requirements')],
      [495, completed('requirements')],
      [495, started('l1_design')],
      [525, completed('l1_design')],
      [540, started('l1_design')],
      [555, completed('l1_design')],
      [600, started('l2_design')],
      [630, started('l2_design')],
    );
    expect(measured).toMatchObject({
      timePerPhase: { l1_design: 0.75, l2_design: 0.5, requirements: 0.25 },
      bottleneckPhase: 'l1_design',
      totalTimeHours: 2.5,
    });
  });

  it.each([
    ['+15%', { hours: 2 }, 618],
    ['-50%', { hours: 2 }, 540],
    ['+0%', { hours: 1 }, 540],
    [null, { hours: 0 }, 540],
    [null, { hours: '2' }, 540],
  ])('report a deviation of %s from the estimates %j', (expected, estimates, minutes) => {
    const estimated: TimedEvent = [480, did('ContextCreated', { estimates })];
    expect(metricsAfter(estimated, [minutes, did('ContextClosed', {})])).toMatchObject({
      estimates,
      estimatedVsActualTime: expected,
    });
  });

  it('use the estimates of tasks if there is none for the whole context', () => {
    const task = (taskId: string, estimate?: number) =>
      did('TaskPlanned', { taskId, title: taskId, ...(estimate !== undefined && { estimate }) });
    const planned = [task('a', 0.5), task('b', 1.5), task('c')].map((event): TimedEvent => [
      480,
      event,
    ]);
    expect(metricsAfter(created, ...planned, [540, completed('l1')])).toMatchObject({
      estimatedVsActualTime: '-50%',
    });
  });

  it('start from the newest imported baseline', () => {
    const baseline = (totalTasks: number) =>
      did('BaselineImported', {
        counters: {
          totalTasks,
          completedTasks: 1,
          phasesCompleted: 3,
          totalIterations: 5,
          reviewIterations: 4,
          approvedReviews: 3,
          totalTimeHours: 2.5,
          timePerPhase: { l1_design: 0.75, design: 1 },
        },
        history: [{ phase: 'requirements' }],
      });
    expect(
      metricsAfter(
        created,
        [480, baseline(7)],
        [480, baseline(2)],
        [480, did('TaskPlanned', { taskId: 'a', title: 'a' })],
        [480, started('l1_design')],
        [510, completed('l1_design')],
        [510, review('1', 'BLOCKED')],
      ),
    ).toMatchObject({
      totalTasks: 3,
      completedTasks: 1,
      phasesCompleted: 4,
      totalIterations: 5,
      averageIterationCount: 1.25,
      reviewIterations: 5,
      reviewPassRate: 0.6,
      timePerPhase: { design: 1, l1_design: 1.25 },
      bottleneckPhase: 'l1_design',
      totalTimeHours: 3,
    });
  });
});

describe('a baseline', () => {
  const data = { counters: { totalTasks: 7 } };

  it('is imported once without a change', () => {
    const imported = did('BaselineImported', data);
    const command = { type: 'ImportBaseline', data } as const;
    given(did('ContextCreated', {})).when(command).then(imported);
    given(did('ContextCreated', {}), imported).when(command).thenNothing();
    const { events } = contextFrom([{ type: 'CreateContext', data: {} }, command, command]);
    expect(events.map(({ type }) => type)).toEqual(['ContextCreated', 'BaselineImported']);
  });

  it.each([
    { totalTasks: -1 },
    { totalTasks: 1.5 },
    { totalTimeHours: -0.5 },
    { timePerPhase: { l1: '1' } },
    { speed: 1 },
  ])('refuses %j', (counters) => {
    expect(baselineImported.schema.safeParse({ counters }).success).toBe(false);
  });
});
