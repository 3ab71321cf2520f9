import { z } from 'zod';

import { identifier, text } from '../payload.schema.js';

/** A time of the database's clock, from which durations are computed; `recordedAt` is the clock of a process. */
export const moment = z.iso.datetime({ offset: true });

export const reason = text.max(10_000);
export const count = z.int().min(1);
export const hash = z.string().regex(/^[0-9a-f]{64}$/, {
  error: 'must be a SHA-256 in lower-case hexadecimal',
});

/** `<stepId>#<visit>`: unique in its run. */
const path = text.max(300);

export const ofRun = { runId: identifier, at: moment };
export const ofVisit = { ...ofRun, stepId: identifier, path, visit: count };
export const ofAttempt = { ...ofVisit, attempt: count };

/** The store's, which a restore renews: runs of another epoch do not go on by themselves. */
export const epoch = identifier;

/** Whose work something is: who was authenticated, and the agent that they acted for. */
export const author = z.strictObject({ principal: identifier, agent: identifier.optional() });
export type Author = z.output<typeof author>;

/** The attempt that an output is the success of; its step is the output's own. */
export const outputOfRun = z.strictObject({ ...ofRun, path, visit: count, attempt: count });
