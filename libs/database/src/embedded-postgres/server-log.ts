import { open, rename, stat, type FileHandle } from 'node:fs/promises';

import { orIfMissing } from './error-code.js';

const maxLogBytes = 10_000_000;
const maxReadBytes = 20_000;

/** The log file of the server. It is not a pipe, since the server may outlive the process that started it. */
export async function openServerLog(path: string): Promise<FileHandle> {
  const { size } = await orIfMissing<{ size: number }>(stat(path), { size: 0 });
  if (size > maxLogBytes) await rename(path, `${path}.1`);
  return open(path, 'a', 0o600);
}

/** The last part of the log since `from`. */
export async function readServerLog(path: string, from = 0): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(Math.min(from, size), size - maxReadBytes);
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

/** Receives messages, as whole sentences, when the server starts, stops or fails. */
export type ServerLog = {
  info(message: string): void;
  warn(message: string): void;
};
