import { DomainError } from '#event-sourcing';

import { type Issue } from '../context.errors.js';

/** The request names a version that does not exist yet. */
export class VersionAheadError extends DomainError<'invalid-position'> {
  readonly code = 'invalid-position';

  readonly issues: readonly Issue[];

  /** `member`: the member of the request that names the version. */
  constructor(member: string, version: number, current: number) {
    super(`version ${version} is beyond the head: the context is at version ${current}`);
    this.issues = [{ pointer: `/${member}`, detail: this.message }];
  }
}

/** The checkpoint has moved to another version since it was looked up: the request must be repeated. */
export class CheckpointMovedError extends DomainError<'concurrency-exhausted'> {
  readonly code = 'concurrency-exhausted';

  constructor(checkpoint: string) {
    super(`the checkpoint "${checkpoint}" changed while the request was processed: try again`);
  }
}
