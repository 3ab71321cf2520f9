import { type IncomingMessage } from 'node:http';

import { type AdmissionLimits, type Release, AdmissionQueue } from './admission-queue.js';
import { OverloadedError, WorkerLostError } from '../problems/worker.errors.js';
import { type ForwardedRequest, type WorkerProcess } from './worker-process.js';

type WorkerPoolOptions = Readonly<{
  start: () => WorkerProcess;
  workers: number;
  admission: AdmissionLimits;
  /** Called once for each request; `error` is why a worker was lost. */
  report: (outcome: WorkerOutcome, error?: Error) => void;
}>;

/** Whose turn a request takes, and the signal of its client. */
export type Asker = Readonly<{ key: string; signal: AbortSignal }>;

type WorkerOutcome = 'answered' | 'refused' | 'lost';

/** A client that reads slowly keeps its slot no longer than this. */
const sendingMs = 5_000;
/** How long a worker that is asked to stop may take. */
const stopMs = 5_000;

/**
 * Processes for requests that would keep all others waiting: each runs this API on connections of its own, and has a heap
 * of its own. They are started when they are first needed, or before by `warmUp`, and again after they were lost.
 */
export class WorkerPool {
  readonly #queue: AdmissionQueue;
  readonly #workers: (WorkerProcess | undefined)[];
  #isStopping = false;

  constructor(private readonly options: WorkerPoolOptions) {
    this.#queue = new AdmissionQueue(options.admission);
    this.#workers = Array.from({ length: options.workers });
  }

  /** Resolves with the head of the answer. Throws OverloadedError and WorkerLostError, or the reason of the signal. */
  async forward(request: ForwardedRequest, asker: Asker): Promise<IncomingMessage> {
    const release = await this.admit(asker);
    return this.send(request, { release, signal: asker.signal });
  }

  /** Waits for a slot, which it takes only once `after` has resolved. */
  async admit({ key, signal }: Asker, after?: Promise<void>): Promise<Release> {
    try {
      return await this.#queue.admit(key, signal, after);
    } catch (error) {
      if (error instanceof OverloadedError) this.options.report('refused');
      throw error;
    }
  }

  /** Forwards a request that has a slot, which is released behind the answer. */
  async send(
    request: ForwardedRequest,
    { release, signal }: Readonly<{ release: Release; signal: AbortSignal }>,
  ): Promise<IncomingMessage> {
    try {
      const answer = await this.#leastLoaded().forward(request, signal);
      this.options.report('answered');
      const timer = setTimeout(release, sendingMs);
      answer.once('close', () => {
        clearTimeout(timer);
        release();
      });
      return answer;
    } catch (error) {
      release();
      if (error instanceof WorkerLostError) this.options.report('lost', error);
      throw error;
    }
  }

  /** Starts the workers, so that the first request need not wait for that. */
  warmUp(): void {
    if (!this.#isStopping) this.#workers.forEach((_, at) => this.#worker(at));
  }

  /** Ends the workers; those that take too long are cut off. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#workers.map((worker) => worker && stopped(worker)));
  }

  #leastLoaded(): WorkerProcess {
    const workers = this.#workers.map((_, at) => this.#worker(at));
    const [least] = workers.toSorted((left, right) => left.load - right.load);
    if (!least) throw new Error('a pool has at least one worker');
    return least;
  }

  #worker(at: number): WorkerProcess {
    const running = this.#workers[at];
    if (running) return running;
    if (this.#isStopping) throw new WorkerLostError('the server stops');
    const worker = this.options.start();
    this.#workers[at] = worker;
    void worker.ended.then(() => {
      if (this.#workers[at] === worker) this.#workers[at] = undefined;
    });
    return worker;
  }
}

async function stopped(worker: WorkerProcess): Promise<void> {
  const timer = setTimeout(() => worker.kill(), stopMs);
  await worker.stop();
  clearTimeout(timer);
}
