import { type z } from 'zod';

import {
  type JsonObject,
  type JsonValue,
  inWords,
  inputRuleFaults,
  knownMembers,
} from '#event-sourcing';

import { type ContextCommand } from '../context.command.js';
import { type Issue } from '../context.errors.js';
import { only, pointerStep } from '../json.js';
import { memberMeant, unknownMember } from '../other-names.js';

/**
 * `at`: JSON pointer to the payload in the document; `keyed`: the payload is the value of a member whose name is the
 * id.
 */
export type PlacedCommand = Readonly<{ command: ContextCommand; at: string; keyed?: boolean }>;

/** A command that makes a change, or a place that no event can change. */
export type Change =
  | (PlacedCommand & Readonly<{ issue?: never }>)
  | Readonly<{ issue: Issue; command?: never }>;

/**
 * The changes in one part of the document, computed while it is iterated. `undefined` represents a place that was
 * compared and is equal, so that the comparison of large parts can be interrupted anywhere.
 */
export type PartDifference = Iterable<Change | undefined, void>;

/** Compares one part; `at` is the JSON pointer to it. */
export type PartComparison = (
  current: JsonValue | undefined,
  sent: JsonValue,
  at: string,
) => PartDifference;

export const noDifference: PartDifference = [];

export function commanded(
  command: ContextCommand,
  at: string,
  { keyed = false } = {},
): PartDifference {
  return [{ command, at, keyed }];
}

export function refused(pointer: string, detail: string): PartDifference {
  return [{ issue: { pointer, detail } }];
}

/** The faults that a schema or a rule for input reports. */
type Faults = Readonly<{ issues: readonly z.core.$ZodIssue[] }>;

/** Parses a new entry of a document. The rules for input apply only to the members `stated`. */
export function parseStated<Schema extends z.ZodType>(
  schema: Schema,
  value: JsonObject,
  stated: readonly string[] = Object.keys(value),
): z.ZodSafeParseSuccess<z.output<Schema>> | Readonly<{ success: false; error: Faults }> {
  const parsed = schema.safeParse(value, inWords);
  if (!parsed.success) return parsed;
  const { faults } = inputRuleFaults(schema, only(value, stated));
  const issues = faults.map(({ path, detail }) => ({
    code: 'custom' as const,
    path: [...path],
    message: detail,
  }));
  return issues.length === 0 ? parsed : { success: false, error: { issues } };
}

/** Reports every fault of a schema; each unknown member is a separate fault. */
export function* refusedBySchema(
  error: Faults,
  at: string,
  { schema, sent }: Readonly<{ schema: z.ZodType; sent: unknown }>,
): Generator<Change, void> {
  for (const issue of error.issues) {
    const pointer = at + issue.path.map((step) => pointerStep(String(step))).join('');
    if (issue.code !== 'unrecognized_keys') yield { issue: { pointer, detail: issue.message } };
    else yield* unknownIn(issue.keys, pointer, knownMembers(schema, sent, issue.path));
  }
}

function* unknownIn(
  keys: readonly string[],
  at: string,
  known: readonly string[],
): Generator<Change> {
  for (const key of keys) {
    const pointer = at + pointerStep(key);
    yield { issue: unknownIssue(key, known, { at: pointer, fault: 'cannot be stated here' }) };
  }
}

/** The fault for an unknown member, with the known member that was probably meant. */
export function unknownIssue(
  name: string,
  known: readonly string[],
  { at, fault }: Readonly<{ at: string; fault: string }>,
): Issue {
  const suggestion = memberMeant(name, known);
  const detail = unknownMember(fault, suggestion, known);
  return suggestion === undefined ? { pointer: at, detail } : { pointer: at, detail, suggestion };
}

export function notRemovable(pointer: string): PartDifference {
  return refused(
    pointer,
    'cannot be removed, only preferences can: send another value, or leave this out',
  );
}

/** Passes on all changes, and returns whether one of them is a refusal. */
export function* refusing(differences: PartDifference): Generator<Change | undefined, boolean> {
  let isRefused = false;
  for (const change of differences) {
    if (change?.issue) isRefused = true;
    yield change;
  }
  return isRefused;
}
