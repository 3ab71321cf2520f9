import { WorkFailure } from '@throughline/sdk';

import { maxOutputBytes, type ProgramEnd } from './run-program.js';

/** EX_USAGE and EX_CONFIG of sysexits.h: the same program would fail in the same way again. */
const finalExitCodes: ReadonlySet<number> = new Set([64, 78]);

/** Of ES2026, which the compiler does not know yet. */
const { rawJSON } = JSON as unknown as Readonly<{ rawJSON: (text: string) => unknown }>;

/** The output of a program that ended by itself; throws what its attempt has failed with. */
export function outputOf({ exitCode, stdout, overflowed, stderr }: ProgramEnd): unknown {
  if (overflowed) throw tooLargeOutput();
  if (exitCode === 0)
    return isJson(stdout) ? parseKeepingDigits(stdout) : { text: stdout.toWellFormed().trim() };
  throw new WorkFailure(stderr || `the program ended with exit code ${exitCode}`, {
    code: `exit-${exitCode}`,
    retryable: !finalExitCodes.has(exitCode),
    ...(isJson(stdout) && { output: parseKeepingDigits(stdout) }),
  });
}

export function tooLargeOutput(): WorkFailure {
  const most = `${maxOutputBytes / 1_024} KiB`;
  return new WorkFailure(
    `the program wrote more than ${most} to its standard output: let it store large results elsewhere, and say where`,
    { code: 'output-too-large', retryable: true },
  );
}

/** A value that `JSON.stringify` writes with the numbers as they are in the text. */
function parseKeepingDigits(json: string): unknown {
  return JSON.parse(json, (_key, value: unknown, context?: Readonly<{ source: string }>) =>
    typeof value === 'number' && context ? rawJSON(context.source) : value,
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
