import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 20;

/** The groups that may have processes. */
const groups = new Set<ProcessGroup>();

/** A program and the processes that it has started, unless they have left its group. */
export class ProcessGroup {
  #killAt = Number.POSITIVE_INFINITY;
  #ending: Promise<void> | undefined;

  /** `pid`: of the process that leads the group. */
  constructor(private readonly pid: number) {
    if (groups.size === 0) process.on('exit', killGroups);
    groups.add(this);
  }

  /**
   * Sends SIGTERM to all processes, and SIGKILL to the remaining ones after `graceMs`; then resolves. After repeated
   * calls, the earliest deadline counts.
   */
  end(graceMs: number): Promise<void> {
    this.#killAt = Math.min(this.#killAt, performance.now() + graceMs);
    this.#ending ??= this.#end();
    return this.#ending;
  }

  kill(): void {
    this.#send('SIGKILL');
  }

  async #end(): Promise<void> {
    let exists = this.#send('SIGTERM');
    while (exists && performance.now() < this.#killAt) {
      await wait(pollMs);
      exists = this.#send(0);
    }
    // Not awaited: in containers that do not reap zombies, ended processes seem to exist forever.
    if (exists) this.#send('SIGKILL');
    groups.delete(this);
    if (groups.size === 0) process.removeListener('exit', killGroups);
  }

  /** Returns whether the group has a process. */
  #send(signal: NodeJS.Signals | 0): boolean {
    try {
      // Windows has no such groups: only the program itself is ended there.
      process.kill(process.platform === 'win32' ? this.pid : -this.pid, signal);
      return true;
    } catch {
      return false;
    }
  }
}

/** Kills the programs of a worker when it exits, because their results could not be reported. */
function killGroups(): void {
  for (const group of groups) group.kill();
}
