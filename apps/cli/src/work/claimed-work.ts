import { z } from 'zod';

import { type ApiAnswer, parseAnswer } from '../api-client.js';
import { printableLine } from '../printable.js';
import { AttemptClock } from './attempt-clock.js';

/** What a program is given: all but the token, by which only the worker reports. */
const envelopeShape = z.looseObject({
  deadline: z.iso.datetime({ offset: true }),
  timeoutMs: z.number(),
  agent: z.string(),
  contextId: z.string(),
  runId: z.string(),
  step: z.looseObject({
    id: z.string(),
    path: z.string(),
    visit: z.number(),
    attempt: z.number(),
  }),
  effectKey: z.string(),
});

const claimed = envelopeShape.extend({ attemptToken: z.string() });

export type Envelope = z.output<typeof envelopeShape>;

export type ClaimedWork = Readonly<{ envelope: Envelope; token: string; clock: AttemptClock }>;

export function parseClaimedWork(answer: ApiAnswer): ClaimedWork {
  const { attemptToken: token, ...envelope } = parseAnswer(claimed, answer);
  return { envelope, token, clock: new AttemptClock(envelope) };
}

/** How log lines name an attempt. */
export function labelOf({ contextId, step: { path, attempt } }: Envelope): string {
  return printableLine(`${contextId} ${path} attempt ${attempt}`);
}
