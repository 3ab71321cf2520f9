import {
  type RecordedContextEvent,
  activeMsAt,
  isActiveRun,
  isOpen,
  isWorking,
} from '#shared-context';
import { maxRunEvents, timeOf } from '#workflow';

import { type RunWorld } from './run-world.js';

/**
 * The invariants of every run after every append; `before` is the number of events before the newest append. For tests.
 */
export function checkInvariants(world: RunWorld, before: number): void {
  const { run, workflow } = world;
  const steps = Object.values(workflow.steps).map(({ id, maxVisits = Infinity }) => ({
    id,
    maxVisits,
    facts: world.step(id),
  }));
  expect(run.iterations).toBeLessThanOrEqual(workflow.maxIterations);
  expect(run.events).toBeLessThanOrEqual(maxRunEvents);
  for (const { facts, maxVisits } of steps) expect(facts.visit).toBeLessThanOrEqual(maxVisits);
  checkAppend(world, before);
  if (isActiveRun(run)) {
    const open = steps.filter(({ facts }) => isOpen(facts));
    expect([...run.active].sort()).toEqual(open.map(({ id }) => id).sort());
    expect(run.working).toBe(open.filter(({ facts }) => isWorking(facts)).length);
    expect(run.asking).toBe(open.filter(({ facts }) => facts.approval !== null).length);
    checkProgress(world);
  } else {
    expect(world.dueAt).toBeNull();
    expect(steps.filter(({ facts }) => isOpen(facts)).map(({ id }) => id)).toEqual([]);
  }
}

/** An active run waits for a worker, a person or a time, so that each of its steps can continue. */
function checkProgress(world: RunWorld): void {
  const { run } = world;
  if (run.status === 'cancelling') {
    expect(world.stepsWith('running').length).toBeGreaterThan(0);
    return;
  }
  expect(run.active.length).toBeGreaterThan(0);
  const waiting = (['scheduled', 'running', 'asking', 'doubt'] as const).flatMap((status) =>
    world.stepsWith(status),
  );
  const open = run.active.filter((stepId) => !waiting.includes(stepId));
  expect(open.filter((stepId) => world.step(stepId).status !== 'open')).toEqual([]);
  for (const parallel of open)
    expect(run.active.some((stepId) => world.step(stepId).parallel === parallel)).toBe(true);
  for (const stepId of world.stepsWith('scheduled'))
    if (world.step(stepId).agent === null && run.status === 'running')
      expect(world.dueAt).not.toBeNull();
}

/** Each visit ends once, nothing is scheduled beyond a limit, and no event follows the end. */
function checkAppend({ events, workflow, run }: RunWorld, before: number): void {
  const routed = events.flatMap((event) => (event.type === 'StepRouted' ? [event.data.path] : []));
  expect(new Set(routed).size).toBe(routed.length);
  const outputs = events.flatMap((event) =>
    event.type === 'StepOutputAdded' && event.data.run ? [event.data.run.path] : [],
  );
  expect(new Set(outputs).size).toBe(outputs.length);
  const ends = events.findIndex(isEnd);
  if (ends >= 0) expect(ends).toBe(events.length - 1);
  const newest = events.slice(before);
  if (!newest.some(createsContext)) return;
  const at = newest.at(-1);
  const time = at && 'at' in at.data ? at.data.at : timeOf(0);
  if (isActiveRun(run)) expect(activeMsAt(run, time)).toBeLessThan(workflow.maxDurationMs);
}

function isEnd({ type }: RecordedContextEvent): boolean {
  return ['RunCompleted', 'RunFailed', 'RunCancelled'].includes(type);
}

function createsContext({ type }: RecordedContextEvent): boolean {
  return type === 'StepScheduled' || type === 'StepAttemptStarted';
}
