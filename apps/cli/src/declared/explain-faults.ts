import { CliError } from '../cli-error.js';
import { ProblemError } from '../problem.js';
import { type Field } from './fields.js';

/** Returns the error with a hint that names the arguments and options of the refused members. */
export function explainFaults(error: unknown, fields: readonly Field[]): unknown {
  if (!(error instanceof ProblemError) || !error.problem) return error;
  const members = new Set(error.problem.errors.map(({ pointer }) => pointer.split('/')[1]));
  const refusedFields = fields.filter(({ member }) => members.has(member));
  if (refusedFields.length === 0) return error;
  const lines = refusedFields.map(
    ({ member, flags, description }) => `${member} is ${flags}: ${description}`,
  );
  const { message, exitCode, next } = error;
  return new CliError(message, {
    cause: error,
    exitCode,
    next: [...lines, ...(next === undefined ? [] : [next])].join('\n      '),
  });
}
