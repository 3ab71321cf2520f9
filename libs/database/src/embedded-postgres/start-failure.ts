import {
  DatabaseStartError,
  DataDirectoryVersionError,
  type StartupError,
  StorageFullError,
} from '../errors.js';

const full =
  /No space left on device|Disk quota exceeded|could not (write|extend).*(space|full)|ENOSPC/i;
const otherVersion =
  /initialized by PostgreSQL version ([\d.]+), which is not compatible with this version ([\d.]+)/;

/** Turns what `initdb` or `postgres` wrote before it gave up into one sentence. */
export function explainFailure(output: string, directory: string): StartupError {
  if (full.test(output)) return new StorageFullError(directory);
  const [, found, ours] = otherVersion.exec(output) ?? [];
  if (found !== undefined && ours !== undefined)
    return new DataDirectoryVersionError(directory, found, ours);
  const reason = lastComplaint(output);
  return new DatabaseStartError(`The embedded PostgreSQL in ${directory} did not start: ${reason}`);
}

function lastComplaint(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const complaints = lines.filter((line) => /FATAL|PANIC|error/i.test(line));
  const line = complaints.at(-1) ?? lines.at(-1) ?? 'it said nothing.';
  return line.replace(/^.*?(FATAL|PANIC|error): +/, '').trim();
}
