import { type z } from 'zod';

import { inWords, inputRuleFaults, knownMembers, parseBounded } from '#event-sourcing';
import { memberMeant, unknownMember } from '#shared-context';

import { FaultList } from '../json/fault-list.js';
import { jsonPointer } from '../json/json-pointer.js';
import { invalidInput } from '../problems/problem.error.js';

/**
 * Parses a part of a request. Throws a problem that names the place of each fault; `within` is the place of the part itself.
 * `beside`: names of members that another schema reads from the same object.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  within: readonly PropertyKey[] = [],
  beside: readonly string[] = [],
): z.output<Schema> {
  const parsed = parseBounded(schema, value, inWords);
  if (parsed.success) return parsed.data;
  const list = new FaultList();
  list.addMore(parsed.more);
  for (const issue of parsed.issues)
    if (issue.code === 'unrecognized_keys')
      addUnknown(list, issue, { schema, value, within, beside });
    else
      list.add(() => jsonPointer([...within, ...issue.path]), issue.message, suggestionOf(issue));
  throw invalidInput(list.faults, list.more);
}

/** As {@link parseInput}, for data that is stored: also requires that required texts are not blank and that ids fit into paths. */
export function parseStated<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  within: readonly PropertyKey[] = [],
  beside: readonly string[] = [],
): z.output<Schema> {
  const parsed = parseInput(schema, value, within, beside);
  const list = new FaultList();
  const { faults, more } = inputRuleFaults(schema, value);
  list.addMore(more);
  for (const { path, detail } of faults) list.add(() => jsonPointer([...within, ...path]), detail);
  if (list.faults.length > 0) throw invalidInput(list.faults, list.more);
  return parsed;
}

/** A custom schema states in its issue which known member was probably meant. */
function suggestionOf(issue: z.core.$ZodIssue): string | undefined {
  const suggestion: unknown = issue.code === 'custom' ? issue.params?.['suggestion'] : undefined;
  return typeof suggestion === 'string' ? suggestion : undefined;
}

type Unknown = Extract<z.core.$ZodIssue, { code: 'unrecognized_keys' }>;
type Input = Readonly<{
  schema: z.ZodType;
  value: unknown;
  within: readonly PropertyKey[];
  beside: readonly string[];
}>;

/** There may be very many unknown members: suggestions are computed only for those reported. */
function addUnknown(
  list: FaultList,
  { keys, path }: Unknown,
  { schema, value, within, beside }: Input,
): void {
  const named = keys.slice(0, list.room);
  if (named.length > 0) {
    const known = knownMembers(schema, value, path);
    const all = path.length > 0 ? known : [...known, ...beside];
    for (const key of named) {
      const suggestion = memberMeant(key, all);
      const pointer = () => jsonPointer([...within, ...path, key]);
      list.add(pointer, unknownMember('is not known here', suggestion, all), suggestion);
    }
  }
  list.addMore(keys.length - named.length);
}
