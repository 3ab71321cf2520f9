import { statedOutcomes } from '../life/life.events.js';
import { type Activity } from './activity.js';

/** The outcome of a context, or its progress while it is open. */
export const contextOutcomes = [
  ...statedOutcomes,
  'blocked',
  'in_progress',
  'waiting',
  'not_started',
  'unknown',
] as const;

export type ContextOutcome = (typeof contextOutcomes)[number];

type Rule = readonly [outcome: ContextOutcome, holds: (activity: Activity) => boolean];

/**
 * If the closing states no outcome, the first rule that applies decides; docs/documents-reference.md lists the rules.
 */
const rules: readonly Rule[] = [
  ['blocked', isBlocked],
  ['in_progress', ({ running, closing }) => running > 0 && closing === null],
  // Rows without counted work do not support the rules below.
  ['unknown', ({ counted }) => !counted],
  ['failed', ({ failing }) => failing > 0],
  ['completed', (activity) => activity.closing !== null && openWork(activity) === 0],
  ['unknown', ({ closing }) => closing !== null],
  ['waiting', ({ awaited, proposed }) => awaited + proposed > 0],
  ['not_started', ({ lastEnded }) => lastEnded === null],
  ['waiting', ({ undone }) => undone > 0],
  ['completed', ({ lastEnded, tasks }) => lastEnded === 'approved' || tasks > 0],
];

/**
 * The outcome that the closing states, else that of the first rule that applies; `unknown` if work ended without a
 * result.
 */
export function outcomeOf(activity: Activity): ContextOutcome {
  const { closing } = activity;
  if (closing !== null && closing !== 'unstated') return closing;
  return rules.find(([, holds]) => holds(activity))?.[0] ?? 'unknown';
}

/** Whether something prevents the work from continuing. */
export function isBlocked({ taskBlocked, tripped, blocking }: Activity): boolean {
  return taskBlocked || tripped > 0 || blocking > 0;
}

function openWork({ running, awaited, proposed, undone }: Activity): number {
  return running + awaited + proposed + undone;
}
