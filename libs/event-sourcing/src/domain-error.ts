import { type JsonValue } from './json.js';

/** A rule said no. `code` is the stable contract; `message` is for people; `details` are shown to the caller. */
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

/** `instanceof DomainError` that keeps the type of the code. */
export function isDomainError(error: unknown): error is DomainError {
  return error instanceof DomainError;
}
