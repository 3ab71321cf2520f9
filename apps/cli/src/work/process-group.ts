import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 20;

/** Those that may have members. */
const groups = new Set<ProcessGroup>();

/** A program and whatever it has started, unless that has left its group. */
export class ProcessGroup {
  #killAt = Number.POSITIVE_INFINITY;
  #ending: Promise<void> | undefined;

  /** `pid`: of the process that leads the group. */
  constructor(private readonly pid: number) {
    if (groups.size === 0) process.on('exit', killGroups);
    groups.add(this);
  }

  /**
   * SIGTERM to all of them, and SIGKILL after `graceMs` to those that are left; resolves then. Called again, the earlier
   * end counts.
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
    // Not waited for: if nobody collects processes that have ended, as in some containers, they seem to exist for ever.
    if (exists) this.#send('SIGKILL');
    groups.delete(this);
    if (groups.size === 0) process.removeListener('exit', killGroups);
  }

  /** Whether any process is left in the group. */
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

/** Ends the programs of a worker that ends: nobody would report their results. */
function killGroups(): void {
  for (const group of groups) group.kill();
}
