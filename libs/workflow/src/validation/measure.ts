import { type JsonValue } from '#event-sourcing';

import { workflowLimits } from '../definition/limits.js';
import { type UnlocatedFault } from './fault.js';

/** The fault of a value that is too large or nested too deep to be checked. */
export function measureFault(value: JsonValue | undefined): UnlocatedFault | undefined {
  const { depth, definitionLength } = workflowLimits;
  if (isDeeper(value, depth))
    return { code: 'too-deep', message: `nested deeper than ${depth} levels`, pointer: '' };
  if ((JSON.stringify(value) ?? '').length <= definitionLength) return undefined;
  const message = `longer than ${definitionLength} characters as JSON`;
  return { code: 'too-large', message, pointer: '' };
}

/** Iterates by level, since recursion would exceed the stack, as in JSON.stringify. */
function isDeeper(value: JsonValue | undefined, levels: number): boolean {
  let level: readonly unknown[] = [value].filter(isContainer);
  for (let left = levels; level.length > 0; left--) {
    if (left === 0) return true;
    level = level
      .flatMap((each): readonly unknown[] => Object.values(each ?? {}))
      .filter(isContainer);
  }
  return false;
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
