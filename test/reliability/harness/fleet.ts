import {
  type ProjectorProcess,
  type ServerProcess,
  startProjectorProcess,
  startServerProcess,
} from '../../e2e/server-process.js';

import { rootKey } from './context-client.js';
import { type HistoryRecorder } from './history-recorder.js';
import { type SetAside, setAsideIn } from './set-aside.js';

/** The servers of a run, each in a separate process. Records the exit of each. */
export class Fleet {
  /** The contexts in quarantine according to the logs of processes that have exited. */
  readonly setAside: SetAside[] = [];
  readonly #running = new Map<ServerProcess, string>();
  readonly #projectors = new Set<ServerProcess>();
  readonly #asked = new WeakSet<ServerProcess>();

  constructor(
    private readonly recorder: HistoryRecorder,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  get servers(): readonly ServerProcess[] {
    return [...this.#running.keys()];
  }

  addresses(): string[] {
    return this.servers.map(({ address }) => address);
  }

  async start(name: string, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const server = await startServerProcess({ ...this.#env(), ...env });
    this.#running.set(server, name);
    this.#watch(server, name);
    return server;
  }

  /** Serves no requests; only projects. */
  async startProjector(name: string): Promise<ProjectorProcess> {
    const projector = await startProjectorProcess(this.#env());
    this.#projectors.add(projector);
    this.#watch(projector, name);
    return projector;
  }

  /** Removes a server from the targets of requests at once; resolves with its exit code. */
  async end(server: ServerProcess, signal: NodeJS.Signals): Promise<number | null> {
    this.#asked.add(server);
    this.#forget(server);
    const { code } = await server.stop(signal);
    return code;
  }

  async stopAll(): Promise<void> {
    const all = [...this.servers, ...this.#projectors];
    await Promise.all(all.map((server) => this.end(server, 'SIGTERM')));
  }

  #env(): Record<string, string> {
    return { THROUGHLINE_ADMIN_KEY: rootKey, THROUGHLINE_LOG_LEVEL: 'error', ...this.env };
  }

  #watch(server: ServerProcess, name: string): void {
    void server.ended.then(({ code, signal, out, err }) => {
      this.#forget(server);
      this.setAside.push(...setAsideIn(`${out}\n${err}`, name));
      this.recorder.add({
        kind: 'process',
        name,
        pid: server.pid,
        signal,
        code,
        endedBy: this.#asked.has(server) ? 'test' : 'itself',
      });
    });
  }

  #forget(server: ServerProcess): void {
    this.#running.delete(server);
    this.#projectors.delete(server);
  }
}
