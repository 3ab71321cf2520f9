import { WorkFailure } from '@throughline/sdk';

import { maxOutputBytes, type ProgramEnd } from './run-program.js';

/** EX_USAGE and EX_CONFIG of sysexits.h: a retry would fail in the same way. */
const finalExitCodes: ReadonlySet<number> = new Set([64, 78]);

/** Part of ES2026; TypeScript does not declare it yet. */
const { rawJSON } = JSON as unknown as Readonly<{ rawJSON: (text: string) => unknown }>;

/** Returns the output of a program that ended by itself; throws the failure of the attempt. */
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
  const limit = `${maxOutputBytes / 1_024} KiB`;
  return new WorkFailure(
    `the program wrote more than ${limit} to its standard output: let it store large results elsewhere and return their address`,
    { code: 'output-too-large', retryable: true },
  );
}

/** Parses JSON to a value for which `JSON.stringify` writes numbers with their original digits. */
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
