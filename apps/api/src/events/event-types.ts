import { nearestMember } from '#event-sourcing';
import { contextEvents, contextRegistry } from '#shared-context';

import { type InputFault, invalidInput } from '../problems/problem.error.js';

const known = contextEvents.map(({ type }) => type);

/** Throws a problem if an event type does not exist: otherwise a misspelled type would return no events without an error. */
export function requireEventTypes(named: Readonly<Record<string, readonly string[]>>): void {
  const faults = Object.entries(named).flatMap(([parameter, types]) =>
    types
      .filter((type) => !contextRegistry.find(type))
      .map((type) => faultOf(`/${parameter}`, type)),
  );
  if (faults.length > 0) throw invalidInput(faults);
}

function faultOf(pointer: string, type: string): InputFault {
  const suggestion = nearestMember(type, known);
  const detail = `"${type}" is not an event type`;
  return suggestion === undefined
    ? { pointer, detail: `${detail}: omit the parameter to list events of all types` }
    : { pointer, detail: `${detail}: did you mean "${suggestion}"?`, suggestion };
}
