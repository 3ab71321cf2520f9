import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { WorkerLostError } from '../problems/worker.errors.js';

/** The time to wait for the exit of a process after its connections broke. */
const endingMs = 2_000;

/** A request that a worker answers instead of the process that received it. */
export type ForwardedRequest = Readonly<{
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string | undefined;
}>;

/** The message that a worker sends when it is ready for requests. */
export type Listening = Readonly<{ listening: true }>;

/** A process that answers forwarded requests over a socket. */
export class WorkerProcess {
  /** Resolves with the exit code or the signal. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** Resolves with undefined when the worker is ready, or with the error if it failed to start. */
  readonly #started: Promise<WorkerLostError | undefined>;
  readonly #agent = new Agent({ keepAlive: true });
  #load = 0;

  constructor(
    private readonly child: ChildProcess,
    private readonly socketPath: string,
  ) {
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject).once('exit', (code, signal) => resolve(signal ?? code));
    });
    this.#started = Promise.race([
      once(child, 'message').then(() => undefined),
      this.ended.then((end) => lost(end)),
    ]).catch((error: unknown) => lost('an error', error));
  }

  /** The number of requests in progress. */
  get load(): number {
    return this.#load;
  }

  /** Resolves with the head of the answer. Throws {@link WorkerLostError}, or the reason of the signal. */
  async forward(forwarded: ForwardedRequest, signal: AbortSignal): Promise<IncomingMessage> {
    this.#load += 1;
    try {
      const failure = await this.#started;
      if (failure) throw failure;
      const answer = await this.#send(forwarded, signal);
      answer.once('close', () => (this.#load -= 1));
      return answer;
    } catch (error) {
      this.#load -= 1;
      signal.throwIfAborted();
      throw error instanceof WorkerLostError ? error : lost(await this.#endIfAny(), error);
    }
  }

  /** A worker that ends breaks its connections before it exits; if it does not exit, only this connection was closed. */
  #endIfAny(): Promise<unknown> {
    return Promise.race([this.ended, delay(endingMs, 'no exit: it closed a connection')]);
  }

  /** Lets the worker finish its requests. */
  async stop(): Promise<void> {
    if (this.child.connected) this.child.disconnect();
    await this.ended;
    this.#agent.destroy();
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  #send(forwarded: ForwardedRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { method, path, headers, body } = forwarded;
    return new Promise((resolve, reject) => {
      const { socketPath } = this;
      const sent = request({ socketPath, agent: this.#agent, method, path, headers, signal });
      sent.on('response', resolve).end(body);
      sent.on('error', (error) => {
        // The worker closed the connection while the request was in transit. Workers run reads and imports, which can be repeated.
        if (sent.reusedSocket && isReset(error))
          this.#send(forwarded, signal).then(resolve, reject);
        else reject(error);
      });
    });
  }
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

function lost(end: unknown, cause?: unknown): WorkerLostError {
  return new WorkerLostError(`a worker ended with ${String(end)}`, { cause });
}
