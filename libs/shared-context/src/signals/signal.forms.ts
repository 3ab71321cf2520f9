import { type JsonObject } from '#event-sourcing';

import { type EventData } from '../context.events.js';
import { recommendations } from '../records/record.fields.js';

export type SignalName = EventData<'SignalEmitted'>['signal'];

/** How a signal is written behind its phrase. */
export type SignalForm = Readonly<{
  /** Whether it says that something went well. */
  good: boolean;
  /** A word that may stand before the subject, in lower case. */
  noun?: string;
  /** Reads what stands behind the dash; undefined if that is not of the form. Without it nothing may stand there. */
  detail?: (said: string) => JsonObject | undefined;
}>;

export const signalForms: Readonly<Record<SignalName, SignalForm>> = {
  'KICKOFF COMPLETE': { good: true },
  'IMPLEMENTATION COMPLETE': { good: true },
  'IMPLEMENTATION BLOCKED': { good: false, detail: reason },
  'REVIEW PASSED': { good: true },
  'REVIEW PASSED WITH FIXES': { good: true, detail: fixes },
  'REVIEW FAILED': { good: false, detail: reason },
  'ANALYSIS COMPLETE': { good: true, detail: recommendation },
  'RETRO COMPLETE': { good: true, noun: 'epic' },
};

/** Where a text shows the form, and says nothing of its own. */
const placeholder = /^(?:reason$|[{<[])/i;
const word = /[\p{L}\p{N}]/u;
const marks = /[*_`]/g;
const fixedIssues = /^fixed (\d{1,9})(?: [^\d\s]+){0,3} issues?(?: ?\([^()]*\))?[.!]?$/i;
const advice = /^(\w+)(?: ?\([^()]*\))?[.!]?$/;

function reason(said: string): JsonObject | undefined {
  return word.test(said) && !placeholder.test(said) ? { reason: said } : undefined;
}

function fixes(said: string): JsonObject | undefined {
  const [, count] = fixedIssues.exec(said.replaceAll(marks, '')) ?? [];
  return count === undefined ? undefined : { fixes: Number(count) };
}

function recommendation(said: string): JsonObject | undefined {
  const [, advised = ''] = advice.exec(said.replaceAll(marks, '')) ?? [];
  const known = recommendations.find((one) => one.toLowerCase() === advised.toLowerCase());
  return known && { recommendation: known };
}
