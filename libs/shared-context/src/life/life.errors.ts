import { DomainError } from '#event-sourcing';

export class ContextExistsError extends DomainError<'context-exists'> {
  readonly code = 'context-exists';

  constructor() {
    super('the context exists already: write to it, or create one under another id');
  }
}

export class ContextNotFoundError extends DomainError<'context-not-found'> {
  readonly code = 'context-not-found';

  /** `message`: why it is not there, for somebody who may know when it is. */
  constructor(message = 'there is no such context: check its id, or create it') {
    super(message);
  }
}

/** A closed context takes nothing but being reopened, or closed again with the same outcome. */
export class ContextClosedError extends DomainError<'context-closed'> {
  readonly code = 'context-closed';

  constructor(message = 'the context is closed: reopen it first') {
    super(message);
  }
}
