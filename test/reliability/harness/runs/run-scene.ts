import { type ServerProcess } from '../../../e2e/server-process.js';
import { type Balancer, openBalancer } from '../balancer.js';
import { type Run } from '../scenario.js';
import { sized } from '../size.js';
import { CommitGate } from './commit-gate.js';
import { crashWorkflows, workerAgent } from './crash-workflows.js';
import { OutsideServer } from './outside-server.js';
import { RunClient } from './run-client.js';
import { type WorkerProcess, startWorker } from './worker-process.js';

/**
 * Short, so that losses are detected soon; a worker renews it several times. During other tests, a server may take
 * longer to answer than the shorter lease, and a visit whose attempts are lost six times fails.
 */
const leaseMs = sized(1_000, 300);
const heartbeatMs = leaseMs / 4;

type Environment = Readonly<Record<string, string>>;
type SceneParts = Readonly<{
  run: Run;
  outside: OutsideServer;
  balancer: Balancer;
  env: Environment;
}>;

/** Servers that store runs, workers that execute them, a person, and the outside server. */
export class RunScene {
  readonly run: Run;
  readonly outside: OutsideServer;
  readonly client: RunClient;
  readonly workers = new Set<WorkerProcess>();
  /** The server for the requests of people; without one, any running server. */
  target: string | undefined;
  readonly #balancer: Balancer;
  readonly #env: Environment;
  #secret = '';
  #gate: CommitGate | undefined;
  #started = 0;

  private constructor({ run, outside, balancer, env }: SceneParts) {
    this.run = run;
    this.outside = outside;
    this.#balancer = balancer;
    this.#env = env;
    this.client = new RunClient(() => this.target ?? balancer.address, outside);
  }

  /**
   * Starts with one server, the definitions, and no worker; `env` applies to all servers. Everything stops with `work`.
   */
  static async during<Result>(
    run: Run,
    env: Environment,
    work: (scene: RunScene) => Promise<Result>,
  ): Promise<Result> {
    const outside = await OutsideServer.open();
    const balancer = await openBalancer(() => run.fleet.addresses());
    const scene = new RunScene({ run, outside, balancer, env });
    try {
      await scene.startServer();
      await scene.client.publish(crashWorkflows);
      scene.#secret = await scene.client.makeKey({ role: 'agent', agentId: workerAgent });
      return await work(scene);
    } finally {
      await scene.#close();
    }
  }

  /** For streams in PostgreSQL. */
  async installGate(): Promise<CommitGate> {
    this.#gate ??= await CommitGate.install(this.run.database.pool);
    return this.#gate;
  }

  startServer(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    return this.run.fleet.start(`server-${++this.#started}`, {
      THROUGHLINE_RUN_LEASE_MS: String(leaseMs),
      THROUGHLINE_WORKERS: '0',
      ...this.#env,
      ...env,
    });
  }

  /** `server` is the server of the worker, by default any running one; `loops` is its number of concurrent attempts. */
  startWorker(server = this.#balancer.address, loops = 2): WorkerProcess {
    const secret = this.#secret;
    const outside = this.outside.address;
    const worker = startWorker({ server, secret, heartbeatMs, loops, outside });
    this.workers.add(worker);
    return worker;
  }

  async killWorker(worker: WorkerProcess): Promise<void> {
    this.workers.delete(worker);
    await worker.kill();
  }

  async killWorkers(): Promise<void> {
    const all = [...this.workers];
    this.workers.clear();
    await Promise.all(all.map((worker) => worker.kill()));
  }

  async killServers(): Promise<void> {
    await Promise.all(
      this.run.fleet.servers.map((server) => this.run.fleet.end(server, 'SIGKILL')),
    );
  }

  async #close(): Promise<void> {
    await this.killWorkers();
    await this.#balancer.close();
    await this.outside.close();
    this.#gate?.release();
  }
}
