import {
  DataDirectoryAccessError,
  DatabaseStartError,
  StartupError,
  StorageFullError,
} from '../errors.js';

const full =
  /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT|Check free disk space|wrote only \d+ of \d+ bytes/i;
const forbidden = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

/** Converts the output of a failed `initdb` or `postgres` to one sentence. */
export function explainFailure(output: string, directory: string): StartupError {
  if (full.test(output)) return new StorageFullError(directory);
  const reason = lastError(output);
  return new DatabaseStartError(`The embedded PostgreSQL in ${directory} did not start: ${reason}`);
}

/** The same for errors of the file system; returns other errors unchanged. */
export function explainError(error: unknown, directory: string): unknown {
  if (!(error instanceof Error) || error instanceof StartupError) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (full.test(code)) return new StorageFullError(directory);
  return forbidden.has(code) ? new DataDirectoryAccessError(directory, error) : error;
}

function lastError(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const errors = lines.filter((line) => /FATAL|PANIC|error/i.test(line));
  const line = errors.at(-1) ?? lines.at(-1) ?? 'it wrote no message.';
  return line.replace(/^.*?(FATAL|PANIC|error): +/, '').trim();
}
