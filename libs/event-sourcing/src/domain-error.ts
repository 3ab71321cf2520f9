import { type JsonValue } from './json.js';

/**
 * A rule refused a command. `code` is part of the stable contract; `message` is for people; `details` are sent to the
 * caller.
 */
export abstract class DomainError<Code extends string = string> extends Error {
  abstract readonly code: Code;
  readonly details: Readonly<Record<string, JsonValue>>;

  constructor(
    message: string,
    options: ErrorOptions & { details?: Readonly<Record<string, JsonValue>> } = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.details = options.details ?? {};
  }
}

/** `instanceof DomainError` without losing the type of the code. */
export function isDomainError(error: unknown): error is DomainError {
  return error instanceof DomainError;
}
