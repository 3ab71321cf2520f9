import { type JsonObject } from '#event-sourcing';

import { type Activity, renderCurrentState } from '../steps/step.activity.js';

/** A context that names another one as its parent, as far as that one's document tells of it. */
export type Child = Readonly<{
  contextId: string;
  title: string | null;
  status: string;
  activity: Activity;
  createdAt: string;
  modifiedAt: string;
}>;

export const outcomes = ['completed', 'failed', 'blocked', 'in_progress', 'not_started'] as const;

export type Outcome = (typeof outcomes)[number];

/** What the document of a parent says beside its own items. */
export type Family = Readonly<{ children: readonly JsonObject[]; executionSummary?: JsonObject }>;

/** `children`: oldest first. `counted`: all there are, where they are too many to be listed. */
export function renderFamily(
  children: readonly Child[],
  counted: readonly ChildCount[] = children.map((child) => ({ ...child, count: 1 })),
): Family {
  if (children.length === 0) return { children: [] };
  return { children: children.map(renderChild), executionSummary: renderSummary(counted) };
}

/** Children as they were: that they were there, not what had become of them. */
export function renderPastFamily(
  children: readonly Pick<Child, 'contextId' | 'title' | 'createdAt'>[],
): Family {
  return {
    children: children.map(({ contextId, title, createdAt }) => ({ contextId, title, createdAt })),
  };
}

/** Children of the same state: created from `createdAt` on, changed last at `modifiedAt`. */
export type ChildCount = Pick<Child, 'status' | 'activity' | 'createdAt' | 'modifiedAt'> &
  Readonly<{ count: number }>;

/** What its own current state says; closing it completes whatever has neither failed nor is blocked. */
export function outcomeOf({ status, activity }: Pick<Child, 'status' | 'activity'>): Outcome {
  const { status: now } = renderCurrentState(activity);
  const outcome = outcomes.find((one) => one === now) ?? 'in_progress';
  if (status !== 'closed' || outcome === 'failed' || outcome === 'blocked') return outcome;
  return 'completed';
}

function renderChild(child: Child): JsonObject {
  const { contextId, title, status, activity, createdAt } = child;
  const { phase = null, activeAgent = null } = renderCurrentState(activity);
  return { contextId, title, status, outcome: outcomeOf(child), phase, activeAgent, createdAt };
}

/** Counts by outcome; the duration is from the first child's creation to the newest change of any. */
function renderSummary(counted: readonly ChildCount[]): JsonObject {
  const numberOf = (outcome?: Outcome) =>
    counted
      .filter((child) => outcome === undefined || outcomeOf(child) === outcome)
      .reduce((sum, { count }) => sum + count, 0);
  return {
    total: numberOf(),
    completed: numberOf('completed'),
    failed: numberOf('failed'),
    blocked: numberOf('blocked'),
    inProgress: numberOf('in_progress'),
    notStarted: numberOf('not_started'),
    durationSeconds: durationOf(counted),
  };
}

function durationOf(counted: readonly ChildCount[]): number {
  const began = Math.min(...counted.map(({ createdAt }) => Date.parse(createdAt)));
  const changed = Math.max(...counted.map(({ modifiedAt }) => Date.parse(modifiedAt)));
  return Math.max(0, Math.round((changed - began) / 1000));
}
