import { z } from 'zod';

import { invalidInput, type InputFault } from '../problems/problem.error.js';
import { jsonPointer } from './json/json-pointer.js';

/** Parses a part of a request; what is wrong is refused by place, `within` being where the part lies. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  within: readonly PropertyKey[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error.issues.flatMap((issue) => faultsOf(issue, within)));
}

function faultsOf(issue: z.core.$ZodIssue, within: readonly PropertyKey[]): InputFault[] {
  const path = [...within, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      pointer: jsonPointer([...path, key]),
      detail: 'is not a member known here',
    }));
  return [{ pointer: jsonPointer(path), detail: issue.message }];
}
