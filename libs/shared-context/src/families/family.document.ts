import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { type Activity } from '../outcome/activity.js';
import { type ContextOutcome, outcomeOf } from '../outcome/context-outcome.js';
import { renderCurrentState } from '../outcome/current-state.js';

/** The schema, in the OpenAPI document, of the member that only documents of contexts with children have. */
export const executionSummarySchema = z
  .looseObject({
    total: z.int(),
    completed: z.int(),
    failed: z.int(),
    cancelled: z.int(),
    skipped: z.int(),
    blocked: z.int(),
    inProgress: z.int(),
    waiting: z.int(),
    notStarted: z.int(),
    unknown: z.int(),
    durationSeconds: z.int(),
  })
  .optional()
  .meta({
    description:
      'Present if there are children: their number by outcome, and the seconds from the first creation to the newest change',
  });

/** The facts about a child context that its parent's document shows. */
export type Child = Readonly<{
  contextId: string;
  title: string | null;
  status: string;
  activity: Activity;
  createdAt: string;
  modifiedAt: string;
}>;

/** The members of a document that are rendered from the children. */
export type Family = Readonly<{ children: readonly JsonObject[]; executionSummary?: JsonObject }>;

/** `children`: oldest first. `counted`: the counts of all children, if `children` does not list all of them. */
export function renderFamily(
  children: readonly Child[],
  counts: readonly ChildCount[] = children.map((child) => ({ ...child, count: 1 })),
): Family {
  if (children.length === 0) return { children: [] };
  return { children: children.map(renderChild), executionSummary: renderSummary(counts) };
}

/** The children at an earlier version or time: their identity, but not their progress, which is only known for now. */
export function renderPastFamily(
  children: readonly Pick<Child, 'contextId' | 'title' | 'createdAt'>[],
): Family {
  return {
    children: children.map(({ contextId, title, createdAt }) => ({ contextId, title, createdAt })),
  };
}

/** A number of children in the same state. `createdAt`: the first creation; `modifiedAt`: the latest change. */
export type ChildCount = Pick<Child, 'status' | 'activity' | 'createdAt' | 'modifiedAt'> &
  Readonly<{ count: number }>;

function renderChild(child: Child): JsonObject {
  const { contextId, title, status, activity, createdAt } = child;
  const { phase = null, activeAgent = null } = renderCurrentState(activity);
  return { contextId, title, status, outcome: outcomeOf(activity), phase, activeAgent, createdAt };
}

/** Counts by outcome, and the duration from the creation of the first child to the latest change of any child. */
function renderSummary(counts: readonly ChildCount[]): JsonObject {
  const numberOf = (outcome?: ContextOutcome) =>
    counts
      .filter(({ activity }) => outcome === undefined || outcomeOf(activity) === outcome)
      .reduce((sum, { count }) => sum + count, 0);
  return {
    total: numberOf(),
    completed: numberOf('completed'),
    failed: numberOf('failed'),
    cancelled: numberOf('cancelled'),
    skipped: numberOf('skipped'),
    blocked: numberOf('blocked'),
    inProgress: numberOf('in_progress'),
    waiting: numberOf('waiting'),
    notStarted: numberOf('not_started'),
    unknown: numberOf('unknown'),
    durationSeconds: durationOf(counts),
  };
}

function durationOf(counts: readonly ChildCount[]): number {
  const began = Math.min(...counts.map(({ createdAt }) => Date.parse(createdAt)));
  const changed = Math.max(...counts.map(({ modifiedAt }) => Date.parse(modifiedAt)));
  return Math.max(0, Math.round((changed - began) / 1000));
}
