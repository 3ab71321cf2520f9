import { type z } from 'zod';

import { inWords, inputRuleFaults, knownMembers, parseBounded } from '#event-sourcing';
import { memberMeant, unknownMember } from '#shared-context';

import { FaultList } from '../json/fault-list.js';
import { jsonPointer } from '../json/json-pointer.js';
import { invalidInput } from '../problems/problem.error.js';

/**
 * Parses a part of a request. Throws a problem with a pointer to each fault; `within` is the path of the part itself.
 * `otherMembers` names members of the same object that another schema parses.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  within: readonly PropertyKey[] = [],
  otherMembers: readonly string[] = [],
): z.output<Schema> {
  const parsed = parseBounded(schema, value, inWords);
  if (parsed.success) return parsed.data;
  const list = new FaultList();
  list.addMore(parsed.more);
  for (const issue of parsed.issues)
    if (issue.code === 'unrecognized_keys')
      addUnknown(list, issue, { schema, value, within, otherMembers });
    else
      list.add(() => jsonPointer([...within, ...issue.path]), issue.message, suggestionOf(issue));
  throw invalidInput(list.faults, list.more);
}

/** Like {@link parseInput}, for data that is stored: also refuses blank required texts, and ids that are not valid in paths. */
export function parseStoredInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  within: readonly PropertyKey[] = [],
  otherMembers: readonly string[] = [],
): z.output<Schema> {
  const parsed = parseInput(schema, value, within, otherMembers);
  const list = new FaultList();
  const { faults, more } = inputRuleFaults(schema, value);
  list.addMore(more);
  for (const { path, detail } of faults) list.add(() => jsonPointer([...within, ...path]), detail);
  if (list.faults.length > 0) throw invalidInput(list.faults, list.more);
  return parsed;
}

/** A custom schema adds the known member that was probably meant to its issue. */
function suggestionOf(issue: z.core.$ZodIssue): string | undefined {
  const suggestion: unknown = issue.code === 'custom' ? issue.params?.['suggestion'] : undefined;
  return typeof suggestion === 'string' ? suggestion : undefined;
}

type UnknownMembersIssue = Extract<z.core.$ZodIssue, { code: 'unrecognized_keys' }>;
type ParseRequest = Readonly<{
  schema: z.ZodType;
  value: unknown;
  within: readonly PropertyKey[];
  otherMembers: readonly string[];
}>;

/** Computes suggestions only for reported members, because there may be very many unknown ones. */
function addUnknown(
  list: FaultList,
  { keys, path }: UnknownMembersIssue,
  { schema, value, within, otherMembers }: ParseRequest,
): void {
  const named = keys.slice(0, list.room);
  if (named.length > 0) {
    const known = knownMembers(schema, value, path);
    const all = path.length > 0 ? known : [...known, ...otherMembers];
    for (const key of named) {
      const suggestion = memberMeant(key, all);
      const pointer = () => jsonPointer([...within, ...path, key]);
      list.add(pointer, unknownMember('is not known here', suggestion, all), suggestion);
    }
  }
  list.addMore(keys.length - named.length);
}
