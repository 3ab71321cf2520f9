import { InvalidInputError } from '../errors.js';
import { type ImportCommand } from './import-batches.js';

const inCommand = /^\/commands\/(\d+)(.*)$/s;

/** Runs work on the commands of an import, and reports a fault of a command at its position in its document. */
export async function reportInDocument<Result>(
  commands: readonly ImportCommand[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new InvalidInputError(
      error.issues.map((issue) => {
        const [, index = '', member = ''] = inCommand.exec(issue.pointer) ?? [];
        const place = commands[Number(index)]?.place;
        if (index === '' || !place) return issue;
        const { document, line, pointer } = place;
        const named = member === '' ? '' : ` (${member.slice(1)})`;
        return { pointer, detail: `${document}:${line}${named}: ${issue.detail}` };
      }),
    );
  }
}
