import { DomainError } from '#event-sourcing';

/** Names a version that is not there yet. */
export class VersionAheadError extends DomainError<'invalid-position'> {
  readonly code = 'invalid-position';

  constructor(version: number, current: number) {
    super(`version ${version} is beyond the head: the context is at version ${current}`);
  }
}
