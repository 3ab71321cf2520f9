import { DomainError } from '#event-sourcing';

import { InvalidInputError } from '../errors.js';

/** The stored event at this version of the context differs from the one in the file. */
export class ImportConflictError extends DomainError<'context-exists'> {
  readonly code = 'context-exists';
  constructor(
    readonly contextId: string,
    readonly version: number,
  ) {
    super(
      `the event in the file at version ${version} of "${contextId}" differs from the stored event: nothing was stored; import it as another context, or into another workspace`,
      { details: { contextId, version } },
    );
  }
}

/** `line` counts from 1; the pointer treats the file as an array of its lines. */
export function invalidLine(line: number, pointer: string, detail: string): InvalidInputError {
  return new InvalidInputError([
    { pointer: `/${line - 1}${pointer}`, detail: `line ${line}: ${detail}` },
  ]);
}
