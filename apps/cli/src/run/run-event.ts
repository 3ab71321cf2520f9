import { z } from 'zod';

import { contextEvent } from '../replay/context-event.js';

const maybe = z.string().optional();

/** The members of events of runs that are printed. */
const runData = z.looseObject({
  runId: maybe,
  path: maybe,
  attempt: z.number().optional(),
  agent: maybe,
  outcome: maybe,
  holds: z.boolean().optional(),
  reason: maybe,
  code: maybe,
  cause: maybe,
  decision: maybe,
  comment: maybe,
});

type RunData = z.output<typeof runData>;

/** An event of a context. The data of other events than those of a run are parsed as empty. */
const streamEvent = contextEvent.extend({ data: runData.catch({}) });
export const streamPage = z.looseObject({
  items: z.array(streamEvent),
  nextCursor: z.string().nullable(),
});

export type StreamEvent = z.output<typeof streamEvent>;

const endings: ReadonlySet<string> = new Set(['RunCompleted', 'RunFailed', 'RunCancelled']);

export function endsRun({ type }: StreamEvent): boolean {
  return endings.has(type);
}

/** The line that `run --wait` prints for an event; undefined if it prints none. */
export function renderRunEvent({ type, data }: StreamEvent): string | undefined {
  return lines[type]?.(data);
}

const lines: Readonly<Record<string, (data: RunData) => string | undefined>> = {
  StepScheduled: ({ path, attempt, agent }) =>
    agent === undefined ? undefined : `${path} waits for ${agent}${ordinal(attempt)}`,
  StepAttemptFailed: ({ path, attempt, code, reason }) =>
    `${path} failed in attempt ${attempt}${because(code)}${because(reason)}`,
  StepAttemptTimedOut: ({ path, attempt, cause }) =>
    cause === 'lost'
      ? `${path} lost the worker of attempt ${attempt}`
      : `${path} did not report attempt ${attempt} in time`,
  ApprovalDecided: ({ path, decision, comment }) => `${path} ${decision}${because(comment)}`,
  StepRouted: ({ path, outcome, holds, reason }) =>
    decided.has(outcome ?? '')
      ? undefined
      : `${path} ${outcome}${holds === undefined ? '' : `: ${holds}`}${because(reason)}`,
  RunPaused: ({ reason }) => `the run is paused${because(reason)}`,
  RunResumed: () => 'the run is resumed',
  RunCancelRequested: ({ reason }) => `the run is being cancelled${because(reason)}`,
};

/** Outcomes that were already printed with the decision. */
const decided: ReadonlySet<string> = new Set(['approved', 'rejected']);

function because(text: string | undefined): string {
  return text === undefined ? '' : `: ${text}`;
}

function ordinal(attempt: number | undefined): string {
  return attempt === undefined || attempt === 1 ? '' : `, attempt ${attempt}`;
}
