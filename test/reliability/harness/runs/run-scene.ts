import { type ServerProcess } from '../../../e2e/server-process.js';
import { type Balancer, openBalancer } from '../balancer.js';
import { type Run } from '../scenario.js';
import { crashWorkflows, workerAgent } from './crash-workflows.js';
import { OutsideServer } from './outside-server.js';
import { RunClient } from './run-client.js';
import { type WorkerProcess, startWorker } from './worker-process.js';

/** So short that what was lost is noticed soon; a worker renews it several times. */
export const leaseMs = 300;
const heartbeatMs = leaseMs / 4;

/** Servers that keep runs, workers that carry them out, a person, and the world outside. */
export class RunScene {
  readonly workers = new Set<WorkerProcess>();
  #started = 0;

  private constructor(
    readonly run: Run,
    readonly outside: OutsideServer,
    readonly balancer: Balancer,
    readonly client: RunClient,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  secret = '';
  /** The server that people ask; without one, whichever runs. */
  target: string | undefined;

  /** One server, the definitions, and no worker. */
  static async open(run: Run, env: Readonly<Record<string, string>> = {}): Promise<RunScene> {
    const outside = await OutsideServer.open();
    const balancer = await openBalancer(() => run.fleet.addresses());
    const client = new RunClient(() => scene.target ?? balancer.address, outside);
    const scene: RunScene = new RunScene(run, outside, balancer, client, env);
    await scene.startServer();
    await client.publish(crashWorkflows);
    scene.secret = await client.makeKey({ role: 'agent', agentId: workerAgent });
    return scene;
  }

  startServer(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    return this.run.fleet.start(`server-${++this.#started}`, {
      ...{ THROUGHLINE_RUN_LEASE_MS: String(leaseMs), THROUGHLINE_WORKERS: '0' },
      ...this.env,
      ...env,
    });
  }

  /** `server`: where it asks; without one, at whichever server runs. `loops`: so many attempts it carries out at once. */
  startWorker(server = this.balancer.address, loops = 2): WorkerProcess {
    const { secret, outside } = this;
    const worker = startWorker({ server, secret, heartbeatMs, loops, outside: outside.address });
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

  async close(): Promise<void> {
    await this.killWorkers();
    await this.balancer.close();
    await this.outside.close();
  }
}
