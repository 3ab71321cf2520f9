import { DomainError } from '#event-sourcing';

import { InvalidInputError } from '../errors.js';

/** The store holds another event at this version of the context than the file does. */
export class ImportConflictError extends DomainError<'context-exists'> {
  readonly code = 'context-exists';
  constructor(
    readonly contextId: string,
    readonly version: number,
  ) {
    super(
      `version ${version} of "${contextId}" is another event here than in the file: nothing was stored; import it as another context, or into another workspace`,
      { details: { contextId, version } },
    );
  }
}

/** `line` counts from 1; the pointer takes the file for an array of its lines. */
export function invalidLine(line: number, pointer: string, detail: string): InvalidInputError {
  return new InvalidInputError([
    { pointer: `/${line - 1}${pointer}`, detail: `line ${line}: ${detail}` },
  ]);
}
