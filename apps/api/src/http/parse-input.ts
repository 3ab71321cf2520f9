import { z } from 'zod';

import { invalidInput, type InputFault, maxFaults } from '../problems/problem.error.js';
import { wordingOf } from './issue-wording.js';
import { jsonPointer } from './json/json-pointer.js';

/** Parses a part of a request; what is wrong is refused by place, `within` being where the part lies. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  within: readonly PropertyKey[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: wordingOf });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const faults: InputFault[] = [];
  for (const issue of issues) faults.push(...faultsOf(issue, within, maxFaults - faults.length));
  throw invalidInput(
    faults,
    issues.reduce((all, issue) => all + sizeOf(issue), -faults.length),
  );
}

/** At most `room` of them: a body may hold tens of thousands. */
function faultsOf(
  issue: z.core.$ZodIssue,
  within: readonly PropertyKey[],
  room: number,
): InputFault[] {
  const path = [...within, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, room)
      .map((key) => ({ pointer: jsonPointer([...path, key]), detail: issue.message }));
  return room > 0 ? [{ pointer: jsonPointer(path), detail: issue.message }] : [];
}

function sizeOf(issue: z.core.$ZodIssue): number {
  return issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
}
