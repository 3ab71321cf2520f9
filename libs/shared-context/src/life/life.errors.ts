import { DomainError } from '#event-sourcing';

export class ContextExistsError extends DomainError<'context-exists'> {
  readonly code = 'context-exists';

  constructor() {
    super('the context exists already: write to it, or create one under another id');
  }
}

export class ContextNotFoundError extends DomainError<'context-not-found'> {
  readonly code = 'context-not-found';

  /** `message`: a more precise reason, for principals that may know that the context exists. */
  constructor(message = 'there is no such context: check its id, or create it') {
    super(message);
  }
}

/** A closed context accepts only reopening, and closing again with the same outcome. */
export class ContextClosedError extends DomainError<'context-closed'> {
  readonly code = 'context-closed';

  constructor(message = 'the context is closed: reopen it first') {
    super(message);
  }
}
