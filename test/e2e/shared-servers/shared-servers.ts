import { type StartedServer } from '../start-server.js';

export type Holder = Readonly<{ worker: string; suite: string }>;

type SharedServer = { server: StartedServer; end: string | undefined; use: string };

const maxLogLines = 20;

/** The servers that suites share: one per Jest worker, started at its first lease. */
export class SharedServers {
  readonly #servers = new Map<string, Promise<SharedServer>>();
  readonly #stopping: Promise<unknown>[] = [];
  #leases = 0;

  constructor(private readonly start: () => Promise<StartedServer>) {}

  /**
   * Rejects if the worker's server has exited during a suite that did not release it; the next lease gets a new one.
   */
  async lease({ worker, suite }: Holder): Promise<{ url: string; workspace: string }> {
    const started = this.#servers.get(worker) ?? this.#start(worker);
    const shared = await started;
    this.#refuseIfEnded(worker, shared);
    shared.use = `while ${suite} used it`;
    this.#leases += 1;
    const name = suite.replace(/\.e2e-spec\.ts$/, '');
    return { url: shared.server.url, workspace: `${name}-${this.#leases}` };
  }

  /** Rejects if the server has exited, and names the suite that used it. */
  async release({ worker, suite }: Holder): Promise<void> {
    const shared = await this.#servers.get(worker);
    if (!shared) return;
    this.#refuseIfEnded(worker, shared);
    shared.use = `after ${suite} gave it back`;
  }

  async stop(): Promise<void> {
    const started = await Promise.allSettled(this.#servers.values());
    for (const shared of started)
      if (shared.status === 'fulfilled') this.#stopping.push(shared.value.server.stop());
    const stopped = await Promise.allSettled(this.#stopping);
    const failed = stopped.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  #start(worker: string): Promise<SharedServer> {
    const started = this.start().then((server) => {
      const shared: SharedServer = { server, end: undefined, use: 'before any suite used it' };
      void server.ended.then(({ code, signal }) => {
        shared.end = signal ? `signal ${signal}` : `exit code ${code}`;
      });
      return shared;
    });
    this.#servers.set(worker, started);
    // A server that did not start is started again for the next suite; this suite reports its error.
    started.catch(() => this.#servers.delete(worker));
    return started;
  }

  #refuseIfEnded(worker: string, { server, end, use }: SharedServer): void {
    if (end === undefined) return;
    this.#servers.delete(worker);
    const stopping = server.stop();
    // Reported by `stop`; here it must not end the host.
    stopping.catch(() => undefined);
    this.#stopping.push(stopping);
    const log = server.log.slice(-maxLogLines).join('\n');
    throw new Error(`the shared server ended with ${end} ${use}. Its log:\n${log}`);
  }
}
