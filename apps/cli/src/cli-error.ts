import { type ExitCode, exitCodes } from './exit-code.js';

/** Ends the command with `exitCode`; `next` is a hint for the user. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly next: string | undefined;

  constructor(
    message: string,
    options: ErrorOptions & { exitCode?: ExitCode; next?: string | undefined } = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = options.exitCode ?? exitCodes.failure;
    this.next = options.next;
  }
}

export class UsageError extends CliError {
  constructor(message: string, next?: string) {
    super(message, { exitCode: exitCodes.usage, next });
  }
}
