import { type z } from 'zod';

import { knownMembers, nearestMember, parseBounded } from '#event-sourcing';

import { invalidInput } from '../problems/problem.error.js';
import { wordingOf } from './issue-wording.js';
import { FaultList, mostFaults } from './json/fault-list.js';
import { jsonPointer } from './json/json-pointer.js';

/**
 * Parses a part of a request; what is wrong is refused by place, `within` being where the part lies. `beside`: members that
 * are read by themselves.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  within: readonly PropertyKey[] = [],
  beside: readonly string[] = [],
): z.output<Schema> {
  const parsed = parseBounded(schema, value, { error: wordingOf });
  if (parsed.success) return parsed.data;
  const list = new FaultList();
  list.addMore(parsed.more);
  for (const issue of parsed.issues)
    if (issue.code !== 'unrecognized_keys')
      list.add(() => jsonPointer([...within, ...issue.path]), issue.message);
    else {
      const known = knownMembers(schema, issue.path);
      const all = issue.path.length > 0 ? known : [...known, ...beside];
      addUnknown(list, issue.keys, { known: all, at: [...within, ...issue.path] });
    }
  throw invalidInput(list.faults, list.more);
}

/** There may be very many of them. */
function addUnknown(
  list: FaultList,
  keys: readonly string[],
  { known, at }: Readonly<{ known: readonly string[]; at: readonly PropertyKey[] }>,
): void {
  const named = keys.slice(0, mostFaults);
  for (const key of named) {
    const suggestion = nearestMember(key, known);
    list.add(() => jsonPointer([...at, key]), unknownMember(suggestion, known), suggestion);
  }
  list.addMore(keys.length - named.length);
}

/** More of them would not be read. */
const mostListed = 16;

function unknownMember(suggestion: string | undefined, known: readonly string[]): string {
  if (suggestion !== undefined) return `is not known here: did you mean "${suggestion}"?`;
  return known.length > 0 && known.length <= mostListed
    ? `is not known here: known are ${known.join(', ')}`
    : 'is not known here: leave it out';
}
