import { type StartedServer } from '../start-server.js';

export type Holder = Readonly<{ worker: string; suite: string }>;

type Shared = { server: StartedServer; end: string | undefined; use: string };

const logLinesShown = 20;

/** The servers that suites share: one for each Jest worker, started when it is first needed. */
export class SharedServers {
  readonly #servers = new Map<string, Promise<Shared>>();
  readonly #stopping: Promise<unknown>[] = [];
  #leases = 0;

  constructor(private readonly start: () => Promise<StartedServer>) {}

  /** Fails if the worker's server has ended under a suite that never gave it back; the next lease gets a new one. */
  async lease({ worker, suite }: Holder): Promise<{ url: string; workspace: string }> {
    const started = this.#servers.get(worker) ?? this.#start(worker);
    const shared = await started;
    this.#refuseIfEnded(worker, shared);
    shared.use = `while ${suite} used it`;
    this.#leases += 1;
    const name = suite.replace(/\.e2e-spec\.ts$/, '');
    return { url: shared.server.url, workspace: `${name}-${this.#leases}` };
  }

  /** Fails if the server has ended, and names the suite that it ended under. */
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

  #start(worker: string): Promise<Shared> {
    const started = this.start().then((server) => {
      const shared: Shared = { server, end: undefined, use: 'before any suite used it' };
      void server.ended.then(({ code, signal }) => {
        shared.end = signal ? `signal ${signal}` : `exit code ${code}`;
      });
      return shared;
    });
    this.#servers.set(worker, started);
    // One that did not start is tried again for the next suite, which reports what it says.
    started.catch(() => this.#servers.delete(worker));
    return started;
  }

  #refuseIfEnded(worker: string, { server, end, use }: Shared): void {
    if (end === undefined) return;
    this.#servers.delete(worker);
    const stopping = server.stop();
    // Reported when all stop: here it must not end the host.
    stopping.catch(() => undefined);
    this.#stopping.push(stopping);
    const log = server.log.slice(-logLinesShown).join('\n');
    throw new Error(`the shared server ended with ${end} ${use}. Its log:\n${log}`);
  }
}
