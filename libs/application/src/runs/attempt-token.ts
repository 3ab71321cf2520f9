import { createHash, randomBytes } from 'node:crypto';

import { z } from 'zod';

import { StaleAttemptError, contextId, identifier } from '#shared-context';

/** Where an attempt is; the token says it, so that a report finds its context without looking anything up. */
export type AttemptPlace = Readonly<{
  contextId: string;
  runId: string;
  stepId: string;
  visit: number;
  attempt: number;
}>;

const count = z.int().min(1);
const parts = z.tuple([contextId, identifier, identifier, count, count, z.string().min(16)]);

/** Known to whoever claimed the attempt, and to nobody else: only its hash is stored. */
export function makeToken({ contextId, runId, stepId, visit, attempt }: AttemptPlace): string {
  const secret = randomBytes(32).toString('base64url');
  const text = JSON.stringify([contextId, runId, stepId, visit, attempt, secret]);
  return Buffer.from(text).toString('base64url');
}

/** Throws StaleAttemptError if this server cannot have made the token. */
export function placeIn(token: string): AttemptPlace {
  const parsed = parts.safeParse(jsonIn(token));
  if (!parsed.success)
    throw new StaleAttemptError('this is no token of an attempt: claim new work');
  const [context, runId, stepId, visit, attempt] = parsed.data;
  return { contextId: context, runId, stepId, visit, attempt };
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function jsonIn(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
}
