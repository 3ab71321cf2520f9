import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const launcher = join(import.meta.dirname, '../../../apps/cli/bin/throughline.mjs');

export const rootKey = 'root-key-of-the-adapter-tests';

/** The real server on a free port, with an embedded PostgreSQL in a new directory. */
export class ThroughlineServer {
  private constructor(
    private readonly directory: string,
    private process: ChildProcess,
    public url: string,
  ) {}

  static async start(): Promise<ThroughlineServer> {
    const directory = await mkdtemp(join(tmpdir(), 'throughline-adapters-'));
    // PostgreSQL runs as another user if the tests run as root.
    await chmod(directory, 0o755);
    const { process, url } = await launch(directory);
    return new ThroughlineServer(directory, process, url);
  }

  /** Kills the process like a crash, and starts another one on the same data, at another address. */
  async restart(): Promise<void> {
    await this.end('SIGKILL');
    const { process, url } = await launch(this.directory);
    this.process = process;
    this.url = url;
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
    await rm(this.directory, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(this.process, 'exit');
    this.process.kill(signal);
    await exited;
  }
}

async function launch(directory: string) {
  const child = spawn(process.execPath, [launcher, 'start'], {
    env: {
      PATH: process.env['PATH'],
      TMPDIR: process.env['TMPDIR'],
      THROUGHLINE_HOST: '127.0.0.1',
      THROUGHLINE_PORT: '0',
      THROUGHLINE_DATA_DIR: join(directory, 'data'),
      THROUGHLINE_ADMIN_KEY: rootKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listens on (http:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return { process: child, url };
  }
  throw new Error(`the server did not start:\n${log.join('\n')}`);
}
