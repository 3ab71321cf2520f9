import { type JsonObject } from '#event-sourcing';

import { type EventData } from '../context.events.js';
import { recommendations } from '../records/record.fields.js';

export type SignalName = EventData<'SignalEmitted'>['signal'];

/** The form of a signal after its phrase. */
export type SignalForm = Readonly<{
  /** Whether the signal reports success. */
  reportsSuccess: boolean;
  /** A word, in lower case, that may precede the subject. */
  noun?: string;
  /**
   * Parses the text after the dash; returns undefined if it does not have the form. Without this function no text is
   * allowed.
   */
  detail?: (text: string) => JsonObject | undefined;
}>;

export const signalForms: Readonly<Record<SignalName, SignalForm>> = {
  'KICKOFF COMPLETE': { reportsSuccess: true },
  'IMPLEMENTATION COMPLETE': { reportsSuccess: true },
  'IMPLEMENTATION BLOCKED': { reportsSuccess: false, detail: reason },
  'REVIEW PASSED': { reportsSuccess: true },
  'REVIEW PASSED WITH FIXES': { reportsSuccess: true, detail: fixes },
  'REVIEW FAILED': { reportsSuccess: false, detail: reason },
  'ANALYSIS COMPLETE': { reportsSuccess: true, detail: recommendation },
  'RETRO COMPLETE': { reportsSuccess: true, noun: 'epic' },
};

/** Text in examples of the form. */
const placeholder = /^(?:reason$|[{<[])/i;
const word = /[\p{L}\p{N}]/u;
const marks = /[*_`]/g;
const fixedIssues = /^fixed (\d{1,9})(?: [^\d\s]+){0,3} issues?(?: ?\([^()]*\))?[.!]?$/i;
const advice = /^(\w+)(?: ?\([^()]*\))?[.!]?$/;

function reason(detailText: string): JsonObject | undefined {
  return word.test(detailText) && !placeholder.test(detailText)
    ? { reason: detailText }
    : undefined;
}

function fixes(detailText: string): JsonObject | undefined {
  const [, count] = fixedIssues.exec(detailText.replaceAll(marks, '')) ?? [];
  return count === undefined ? undefined : { fixes: Number(count) };
}

function recommendation(detailText: string): JsonObject | undefined {
  const [, advised = ''] = advice.exec(detailText.replaceAll(marks, '')) ?? [];
  const known = recommendations.find((one) => one.toLowerCase() === advised.toLowerCase());
  return known && { recommendation: known };
}
