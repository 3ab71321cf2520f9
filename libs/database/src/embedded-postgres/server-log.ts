import { open, rename, stat, type FileHandle } from 'node:fs/promises';

import { orIfMissing } from './error-code.js';

const largest = 10_000_000;
const readBack = 20_000;

/** The file the server writes to: it outlives the process that started it, so it cannot be a pipe. */
export async function openServerLog(path: string): Promise<FileHandle> {
  const { size } = await orIfMissing<{ size: number }>(stat(path), { size: 0 });
  if (size > largest) await rename(path, `${path}.1`);
  return open(path, 'a', 0o600);
}

/** What was written since `from`, the last part of it. */
export async function readServerLog(path: string, from = 0): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(Math.min(from, size), size - readBack);
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(size - start),
      0,
      size - start,
      start,
    );
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Reports when the server starts, stops and fails, in whole sentences. */
export type ServerLog = {
  info(message: string): void;
  warn(message: string): void;
};
