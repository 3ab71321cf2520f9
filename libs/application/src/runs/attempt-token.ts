import { createHash, randomBytes } from 'node:crypto';

import { z } from 'zod';

import { StaleAttemptError, agentId, contextId, identifier } from '#shared-context';

import { type WaitingAttempt } from './waiting-attempt.js';

const count = z.int().min(1);
/** The members of {@link ClaimedAttempt}; the last one is the name of a principal, such as `key:<id>`. */
const attemptSchema = z.tuple([
  ...([contextId, identifier, identifier, count, count, count] as const),
  ...([agentId, identifier] as const),
]);
const tokenSchema = z.tuple([attemptSchema, z.string().min(40)]);

/**
 * An attempt and the principal that has claimed it. The token contains all of it, so that a report finds its run without
 * reading rows, which may be out of date.
 */
export type ClaimedAttempt = WaitingAttempt & Readonly<{ claimedBy: string }>;

/** Only the worker that claimed the attempt knows its token: the server stores only the hash. */
export function encodeToken(attempt: ClaimedAttempt): string {
  const { contextId: context, runId, stepId, visit, attempt: nth, version } = attempt;
  const parts = [context, runId, stepId, visit, nth, version, attempt.agent, attempt.claimedBy];
  const secret = randomBytes(32).toString('base64url');
  return Buffer.from(JSON.stringify([parts, secret])).toString('base64url');
}

/**
 * Decodes the attempt of a token. Trust it only if the hash of the token equals the hash that is stored with the attempt.
 * Throws StaleAttemptError if the text is not a token.
 */
export function decodeToken(text: string): ClaimedAttempt {
  const parsed = tokenSchema.safeParse(jsonIn(text));
  if (!parsed.success)
    throw new StaleAttemptError('this is not a token of an attempt: claim new work');
  const [[context, runId, stepId, visit, attempt, version, agent, claimedBy]] = parsed.data;
  return { contextId: context, runId, stepId, visit, attempt, version, agent, claimedBy };
}

export function hashOfToken(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
