import { readFileSync } from 'node:fs';

/** The unit of Linux for processor time, on each architecture that Node supports. */
const ticksPerSecond = 100;

let counted = read();

/**
 * Processor seconds, user and system, of the children that ended since the last call; to be called when a child ends.
 * Undefined if the system is not Linux. This includes each process whose parent waited for it: jest's workers, and the
 * servers and commands that tests start and wait for. It excludes PostgreSQL servers, which run detached and are not
 * waited for, and processes that outlived their parents.
 */
export function takeProcessorSeconds() {
  const now = read();
  if (now === undefined) return undefined;
  const seconds = (now - counted) / ticksPerSecond;
  counted = now;
  return seconds;
}

/** cutime and cstime, see proc_pid_stat(5); the second field is a name, which may contain spaces. */
function read() {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[13]) + Number(fields[14]);
}
