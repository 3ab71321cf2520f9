import { readFileSync, readdirSync } from 'node:fs';

/** The unit of Linux for processor time, on each architecture that Node supports. */
const ticksPerSecond = 100;

let counted = readEnded();

/**
 * Processor seconds, user and system, of the children that ended since the last call; to be called when a child ends.
 * Undefined if the system is not Linux. This includes each process whose parent waited for it: jest's workers, and the
 * servers and commands that tests start and wait for. It excludes PostgreSQL servers, which run detached and are not
 * waited for, and processes that outlived their parents.
 */
export function takeProcessorSeconds() {
  const now = readEnded();
  if (now === undefined) return undefined;
  const seconds = (now - counted) / ticksPerSecond;
  counted = now;
  return seconds;
}

/**
 * Returns a function that returns the processor seconds of this process and of its descendants since its last call;
 * undefined if the system is not Linux. It excludes descendants that outlived their parents.
 */
export function startMeasuring() {
  if (process.platform !== 'linux') return () => undefined;
  let before = readAll();
  return () => {
    const now = readAll();
    const seconds = Math.max(0, now - before) / ticksPerSecond;
    before = now;
    return seconds;
  };
}

/** The ticks of children that ended and were waited for. */
function readEnded() {
  return process.platform === 'linux' ? readProcess('self').ended : undefined;
}

/** The ticks of this process and its descendants, running or ended. */
function readAll() {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readRunning);
  const byParent = Map.groupBy(processes, ({ parent }) => parent);
  const sum = ({ pid, own, ended }) =>
    (byParent.get(pid) ?? []).reduce((ticks, child) => ticks + sum(child), own + ended);
  return sum({ pid: process.pid, ...readProcess('self') });
}

/** Nothing if the process has ended since its directory was listed. */
function readRunning(pid) {
  try {
    return [{ pid: Number(pid), ...readProcess(pid) }];
  } catch {
    return [];
  }
}

/** See proc_pid_stat(5); the second field is a name, which may contain spaces. */
function readProcess(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return { parent: Number(fields[1]), own: user + system, ended: endedUser + endedSystem };
}
