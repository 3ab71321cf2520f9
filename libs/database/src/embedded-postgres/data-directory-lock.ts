import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { DataDirectoryInUseError } from '../errors.js';
import { hasCode, orIfMissing } from './error-code.js';
import { type ClusterFiles } from './cluster-files.js';
import { readPidNamespace, readStartIdentity } from './process-identity.js';

const heartbeatMs = 2_000;
/** Several missed heartbeats: the only evidence about a process in another container or on another machine. */
const silenceMs = 8_000;
const retryMs = 50;
const takeoverLimitMs = 10_000;

type DataDirectoryLock = {
  release(): Promise<void>;
};

const holderSchema = z.object({
  token: z.string(),
  pid: z.number(),
  /** See `readStartIdentity`. */
  started: z.string(),
  /** The outermost namespace has the same number on all machines. */
  namespace: z.string(),
  /** Missing in locks of earlier versions, whose holder is assumed to be on this machine. */
  host: z.string().optional(),
});

type Holder = Readonly<z.output<typeof holderSchema>>;

/**
 * Makes this process the only one that may run a server on the data directory.
 *
 * @throws DataDirectoryInUseError if another live process holds the lock; the lock of a dead process is taken over.
 */
export async function lockDataDirectory(files: ClusterFiles): Promise<DataDirectoryLock> {
  const own = await describeMyself();
  while (!(await create(files.lock, own))) {
    const holder = await readHolder(files.lock);
    if (holder === undefined) continue;
    if (await isHeld(files.lock, holder, own))
      throw new DataDirectoryInUseError(files.dataDirectory, holder.pid);
    await removeStale(files.lock, holder);
  }
  return holdLock(files.lock, own);
}

async function describeMyself(): Promise<Holder> {
  return {
    token: randomUUID(),
    pid: process.pid,
    started: (await readStartIdentity(process.pid)) ?? 'unknown',
    namespace: await readPidNamespace(),
    host: hostname(),
  };
}

async function create(lock: string, mine: Holder): Promise<boolean> {
  try {
    await writeFile(lock, JSON.stringify(mine), { flag: 'wx', mode: 0o644 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    // A full disk may create the file but leave no room for its content.
    if (hasCode(error, 'ENOSPC')) await rm(lock, { force: true });
    throw error;
  }
}

/** `undefined` if the lock has been removed in the meantime. */
async function readHolder(lock: string): Promise<Holder | undefined> {
  const limit = performance.now() + 2_000;
  for (;;) {
    const text = await orIfMissing(readFile(lock, 'utf8'), undefined);
    if (text === undefined) return undefined;
    const holder = parseHolder(text);
    if (holder !== undefined) return holder;
    // Created but not yet written, or the writer died in between.
    if (performance.now() > limit)
      return { token: text, pid: 0, started: '', namespace: '', host: undefined };
    await delay(retryMs);
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function isHeld(lock: string, holder: Holder, mine: Holder): Promise<boolean> {
  if (holder.pid === 0) return false;
  if (!isWithinReach(holder, mine)) return beats(lock);
  return (await readStartIdentity(holder.pid)) === holder.started;
}

/** Whether a process id has the same meaning for both. */
function isWithinReach(holder: Holder, mine: Holder): boolean {
  const { namespace, host = mine.host } = holder;
  return namespace === mine.namespace && host === mine.host;
}

async function beats(lock: string): Promise<boolean> {
  const before = await lastBeat(lock);
  const limit = performance.now() + silenceMs;
  while (performance.now() < limit) {
    await delay(retryMs);
    const now = await lastBeat(lock);
    if (now !== before) return now !== undefined;
  }
  return false;
}

async function lastBeat(lock: string): Promise<number | undefined> {
  return (await orIfMissing(stat(lock), undefined))?.mtimeMs;
}

/**
 * Only one process at a time, and only if the lock is still the one that was examined: two starts may examine the same
 * lock at once.
 */
async function removeStale(lock: string, examined: Holder): Promise<void> {
  const gate = `${lock}.takeover`;
  try {
    await mkdir(gate);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const age = Date.now() - ((await lastBeat(gate)) ?? Date.now());
    if (age > takeoverLimitMs) await rm(gate, { recursive: true, force: true });
    await delay(retryMs);
    return;
  }
  try {
    const holder = await readHolder(lock);
    if (holder?.token === examined.token) await unlink(lock);
  } finally {
    await orIfMissing(rmdir(gate), undefined);
  }
}

function holdLock(lock: string, own: Holder): DataDirectoryLock {
  const heartbeat = setInterval(() => {
    const now = new Date();
    // A user may have removed the directory, which the server reports. Any other failure makes the lock look abandoned.
    orIfMissing(utimes(lock, now, now), undefined).catch((error: unknown) => {
      process.emitWarning(`The lock ${lock} cannot be renewed: ${String(error)}`);
    });
  }, heartbeatMs);
  heartbeat.unref();
  return {
    release: async () => {
      clearInterval(heartbeat);
      const holder = await readHolder(lock);
      if (holder?.token === own.token) await unlink(lock);
    },
  };
}
