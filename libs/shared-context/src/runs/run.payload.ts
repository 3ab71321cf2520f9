import { z } from 'zod';

import { identifier, text } from '../payload.schema.js';

/** A time from the database's clock, for computing durations; `recordedAt` is from the clock of a process. */
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

/**
 * The epoch of the store. A restore from a backup starts a new one; runs of an earlier epoch do not continue by
 * themselves.
 */
export const epoch = identifier;

/** The author of work: the authenticated principal, and the agent for whom it acted. */
export const author = z.strictObject({ principal: identifier, agent: identifier.optional() });
export type Author = z.output<typeof author>;

/** The attempt that produced an output; its step is the step of the output. */
export const outputOfRun = z.strictObject({ ...ofRun, path, visit: count, attempt: count });
