import { DomainError } from '#event-sourcing';

export class ContextExistsError extends DomainError<'context-exists'> {
  readonly code = 'context-exists';

  constructor() {
    super('the context exists already');
  }
}

export class ContextNotFoundError extends DomainError<'context-not-found'> {
  readonly code = 'context-not-found';

  constructor() {
    super('there is no such context');
  }
}

/** A closed context takes nothing but being reopened, or closed again with the same outcome. */
export class ContextClosedError extends DomainError<'context-closed'> {
  readonly code = 'context-closed';

  constructor(message = 'the context is closed: reopen it first') {
    super(message);
  }
}
