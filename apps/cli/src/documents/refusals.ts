import { CliError } from '../cli-error.js';
import { ProblemError } from '../problem.js';

/** Collects the refusals of files, so that all are reported together. */
export class Refusals {
  readonly #errors: CliError[] = [];
  readonly #messages: string[] = [];

  /**
   * Runs a check and returns its result, or undefined if the server refuses the document: the refusal is collected under
   * `label`. Any other error, such as a failed connection, is thrown.
   */
  async check<Result>(work: () => Promise<Result>, label = ''): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#errors.push(error);
      this.#messages.push(label + error.message);
      return undefined;
    }
  }

  /** Throws if a file was refused. With --json, a single refusal is thrown unchanged. */
  throwIfAny({ json }: Readonly<{ json: boolean }>): void {
    const [first, second] = this.#errors;
    if (!first) return;
    if (json && !second) throw first;
    throw new CliError(this.#messages.join('\n'), {
      exitCode: first.exitCode,
      next: 'nothing was imported: correct or omit the refused files',
    });
  }
}

/** Whether the files are invalid or conflict with stored data. */
function isRefusal(error: unknown): error is CliError {
  if (error instanceof ProblemError) return [404, 409, 413, 422].includes(error.status);
  return error instanceof CliError && error.exitCode === 2;
}
