import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { type Activity } from '../outcome/activity.js';
import { type ContextOutcome, outcomeOf } from '../outcome/context-outcome.js';
import { renderCurrentState } from '../outcome/current-state.js';

/** How the OpenAPI document describes the member that only documents of contexts with children have. */
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
      'Where there are children: how many came to what, and seconds from the first creation to the newest change',
  });

/** A child context, with the members that its parent's document shows. */
export type Child = Readonly<{
  contextId: string;
  title: string | null;
  status: string;
  activity: Activity;
  createdAt: string;
  modifiedAt: string;
}>;

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

function renderChild(child: Child): JsonObject {
  const { contextId, title, status, activity, createdAt } = child;
  const { phase = null, activeAgent = null } = renderCurrentState(activity);
  return { contextId, title, status, outcome: outcomeOf(activity), phase, activeAgent, createdAt };
}

/** Counts by outcome; the duration is from the first child's creation to the newest change of any. */
function renderSummary(counted: readonly ChildCount[]): JsonObject {
  const numberOf = (outcome?: ContextOutcome) =>
    counted
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
    durationSeconds: durationOf(counted),
  };
}

function durationOf(counted: readonly ChildCount[]): number {
  const began = Math.min(...counted.map(({ createdAt }) => Date.parse(createdAt)));
  const changed = Math.max(...counted.map(({ modifiedAt }) => Date.parse(modifiedAt)));
  return Math.max(0, Math.round((changed - began) / 1000));
}
