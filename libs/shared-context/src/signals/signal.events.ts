import { z } from 'zod';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { identifier, text } from '../payload.schema.js';
import { recommendations } from '../records/record.fields.js';

const reasonDetail = z.strictObject({ reason: text }).optional();
const fixesDetail = z.strictObject({ fixes: z.int().min(0) }).optional();
const recommendationDetail = z.strictObject({ recommendation: z.enum(recommendations) }).optional();

const signalEmittedPayload = z.discriminatedUnion('signal', [
  plain('KICKOFF COMPLETE'),
  plain('IMPLEMENTATION COMPLETE'),
  detailed('IMPLEMENTATION BLOCKED', reasonDetail),
  plain('REVIEW PASSED'),
  detailed('REVIEW PASSED WITH FIXES', fixesDetail),
  detailed('REVIEW FAILED', reasonDetail),
  detailed('ANALYSIS COMPLETE', recommendationDetail),
  plain('RETRO COMPLETE'),
]);

/**
 * A statement of an agent about the end of a phase of the story or epic `subject`. Each statement is an event, even if
 * repeated.
 */
export const signalEmitted = defineClientEvent('SignalEmitted', signalEmittedPayload, {
  line: ({ signal, subject, ...said }) =>
    `${signal}: ${subject}${optionalText(' - ', Object.values(Object.values<object | undefined>(said)[0] ?? {}).join())}`,
  aboutMember: 'signal',
  client: { command: 'EmitSignal', payload: signalEmittedPayload },
});

export const signalEvents = [signalEmitted] as const;

export const signalItemKinds = [
  defineItemKind('signal', { view: { section: 'signals', heading: ['signal', 'subject'] } }),
  defineItemKind('newest-signal', { isTraced: true }),
] as const;

function plain<Signal extends string>(signal: Signal) {
  return z.strictObject({ signal: z.literal(signal), subject: identifier });
}

function detailed<Signal extends string, Detail extends z.ZodType>(signal: Signal, detail: Detail) {
  return z.strictObject({ signal: z.literal(signal), subject: identifier, detail });
}
