import { readFileSync, readdirSync } from 'node:fs';

/** Resident megabytes of a process and its workers. */
export function memoryOf(pid) {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && parentOf(name) === pid,
  );
  return [String(pid), ...children].reduce((sum, each) => sum + residentOf(each), 0);
}

function parentOf(pid) {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function residentOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readIfThere(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** A process that has ended in the meantime uses no memory. */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
