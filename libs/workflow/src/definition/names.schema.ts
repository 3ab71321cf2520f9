import { z } from 'zod';

import { workflowLimits } from './limits.js';

/** The value of `on_error` that makes the run continue at `next` as if the step did not exist. */
export const skipKeyword = 'skip';

/** Names with a special meaning, and names of properties that every JavaScript object has. */
export const reservedNames: ReadonlySet<string> = new Set([
  'input',
  'context',
  skipKeyword,
  'prototype',
  ...Object.getOwnPropertyNames(Object.prototype),
]);

const idPattern = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * The id of a step, or the name under which `output` stores its result. Validation, not parsing, checks for reserved
 * names.
 */
export const stepName = z
  .string()
  .regex(idPattern, 'must be 1 to 128 letters, digits, "_" and "-"');

/** A name that refers to a step, an `output` or a member of `initial_context`. */
export const reference = z.string().min(1).max(workflowLimits.idLength);

export const workflowId = z
  .string()
  .regex(
    /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/,
    'must be 1 to 128 of A-Z a-z 0-9 . _ -, and not "." or ".."',
  );

export const text = z.string().max(workflowLimits.textLength);

export const expressionSource = z.string().min(1).max(4_096);

export const count = z.int().min(1).max(workflowLimits.count);

export const duration = z.int().min(1).max(workflowLimits.duration);
