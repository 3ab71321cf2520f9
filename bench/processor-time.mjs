import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts in hundredths of a second, regardless of the kernel's own clock. */
const tickMs = 10;

/**
 * Milliseconds of processor time used so far by this process, by all of PostgreSQL and by another process; undefined if
 * the system does not report it. Other processes on a machine affect throughput, but hardly this.
 */
export function readProcessorTime(postmaster, other) {
  try {
    const { user, system } = process.cpuUsage();
    return {
      here: (user + system) / 1000,
      database: sessionsOf(postmaster) + readStat(postmaster).reaped,
      other: other === undefined ? 0 : readStat(other).own,
    };
  } catch {
    return undefined;
  }
}

/** Milliseconds of processor time that a process has used so far; NaN if the system does not report it. */
export function processorTimeOf(pid) {
  try {
    return readStat(pid).own;
  } catch {
    return Number.NaN;
  }
}

/**
 * Milliseconds that all processors were busy since their start, and the part of our processes, so that a run can report
 * the load of others.
 */
export function readMachineTime(postmaster) {
  try {
    const [, user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]
      .split(/\s+/)
      .map(Number);
    const busy = (user + nice + system + irq + softirq + steal) * tickMs;
    const { here, database } = readProcessorTime(postmaster);
    const ours = here + database + readStat('self').reaped + readStat(postmaster).own;
    return { busy, ours, at: performance.now() };
  } catch {
    return undefined;
  }
}

/** The share of the processors that others used between two readings. */
export function shareOfOthers(before, after, processors) {
  if (!before || !after) return undefined;
  const others = after.busy - before.busy - (after.ours - before.ours);
  return Math.max(0, others / ((after.at - before.at) * processors));
}

function sessionsOf(postmaster) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.reduce((sum, pid) => sum + ownTimeOf(pid, postmaster), 0);
}

/** A session may end during the reading. */
function ownTimeOf(pid, postmaster) {
  try {
    const { parent, own } = readStat(pid);
    return parent === postmaster ? own : 0;
  } catch {
    return 0;
  }
}

function readStat(pid) {
  // The name, in parentheses, may contain any characters; the fields after it count from the third.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  return {
    parent: fields[1],
    own: (fields[11] + fields[12]) * tickMs,
    reaped: (fields[13] + fields[14]) * tickMs,
  };
}
