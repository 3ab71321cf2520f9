import { type z } from 'zod';

import { parseBounded } from '#event-sourcing';

import { invalidInput } from '../problems/problem.error.js';
import { wordingOf } from './issue-wording.js';
import { FaultList, mostFaults } from './json/fault-list.js';
import { jsonPointer } from './json/json-pointer.js';

/** Parses a part of a request; what is wrong is refused by place, `within` being where the part lies. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  within: readonly PropertyKey[] = [],
): z.output<Schema> {
  const parsed = parseBounded(schema, value, { error: wordingOf });
  if (parsed.success) return parsed.data;
  const list = new FaultList();
  list.addMore(parsed.more);
  for (const issue of parsed.issues) addIssue(list, issue, [...within, ...issue.path]);
  throw invalidInput(list.faults, list.more);
}

function addIssue(list: FaultList, issue: z.core.$ZodIssue, path: readonly PropertyKey[]): void {
  if (issue.code !== 'unrecognized_keys') return list.add(() => jsonPointer(path), issue.message);
  // There may be very many of them.
  const named = issue.keys.slice(0, mostFaults);
  for (const key of named) list.add(() => jsonPointer([...path, key]), issue.message);
  list.addMore(issue.keys.length - named.length);
}
