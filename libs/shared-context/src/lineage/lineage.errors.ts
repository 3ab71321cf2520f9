import { DomainError } from '#event-sourcing';

import { type Issue } from '../context.errors.js';

/** Names a version that is not there yet. */
export class VersionAheadError extends DomainError<'invalid-position'> {
  readonly code = 'invalid-position';

  readonly issues: readonly Issue[];

  /** `member`: where the request names it. */
  constructor(member: string, version: number, current: number) {
    super(`version ${version} is beyond the head: the context is at version ${current}`);
    this.issues = [{ pointer: `/${member}`, detail: this.message }];
  }
}

/** A checkpoint names another version by now than the one that was looked up: look it up again. */
export class CheckpointMovedError extends DomainError<'concurrency-exhausted'> {
  readonly code = 'concurrency-exhausted';

  constructor(checkpoint: string) {
    super(`the checkpoint "${checkpoint}" kept moving on: try again`);
  }
}
