import { CliError } from '../cli-error.js';
import { ProblemError } from '../problem.js';
import { type Field } from './fields.js';

/** The same error, with the arguments and options that the members at fault were given as. */
export function explainFaults(error: unknown, fields: readonly Field[]): unknown {
  if (!(error instanceof ProblemError) || !error.problem) return error;
  const members = new Set(error.problem.errors.map(({ pointer }) => pointer.split('/')[1]));
  const meant = fields.filter(({ member }) => members.has(member));
  if (meant.length === 0) return error;
  const lines = meant.map(
    ({ member, flags, description }) => `${member} is ${flags}: ${description}`,
  );
  const { message, exitCode, next } = error;
  return new CliError(message, {
    cause: error,
    exitCode,
    next: [...lines, ...(next === undefined ? [] : [next])].join('\n      '),
  });
}
