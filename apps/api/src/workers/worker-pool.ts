import { type IncomingMessage } from 'node:http';

import { type AdmissionLimits, type Release, AdmissionQueue } from './admission-queue.js';
import { OverloadedError, WorkerLostError } from '../problems/worker.errors.js';
import { type ForwardedRequest, type WorkerProcess } from './worker-process.js';

type WorkerPoolOptions = Readonly<{
  start: () => WorkerProcess;
  workers: number;
  admission: AdmissionLimits;
  /** Called once per request; `error` is the reason if a worker was lost. */
  report: (outcome: WorkerOutcome, error?: Error) => void;
}>;

/** The key whose turn a request takes, and the signal of its client. */
export type PoolCaller = Readonly<{ key: string; signal: AbortSignal }>;

type WorkerOutcome = 'answered' | 'refused' | 'lost';

/** The maximum time that a slow client occupies a slot. */
const sendingMs = 5_000;
/** The time in which a worker must stop before it is killed. */
const stopMs = 5_000;

/**
 * Worker processes for expensive requests, which would delay all others: each runs this API with its own database connections and heap.
 * They are started on demand or by `warmUp`, and restarted after a crash.
 */
export class WorkerPool {
  readonly #queue: AdmissionQueue;
  readonly #workers: (WorkerProcess | undefined)[];
  #isStopping = false;

  constructor(private readonly options: WorkerPoolOptions) {
    this.#queue = new AdmissionQueue(options.admission);
    this.#workers = Array.from({ length: options.workers });
  }

  /** Resolves with the head of the answer. Throws OverloadedError, WorkerLostError, or the reason of the signal. */
  async forward(request: ForwardedRequest, caller: PoolCaller): Promise<IncomingMessage> {
    const release = await this.admit(caller);
    return this.send(request, { release, signal: caller.signal });
  }

  /** Waits for a slot, which is assigned only after `after` has resolved. */
  async admit({ key, signal }: PoolCaller, after?: Promise<void>): Promise<Release> {
    try {
      return await this.#queue.admit(key, signal, after);
    } catch (error) {
      if (error instanceof OverloadedError) this.options.report('refused');
      throw error;
    }
  }

  /** Forwards an admitted request, and releases its slot after the answer. */
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

  /** Starts the workers, so that the first request need not wait for a start. */
  warmUp(): void {
    if (!this.#isStopping) this.#workers.forEach((_, at) => this.#worker(at));
  }

  /** Stops the workers; kills workers that take too long. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#workers.map((worker) => worker && stopOrKill(worker)));
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
    if (this.#isStopping) throw new WorkerLostError('the server is stopping');
    const worker = this.options.start();
    this.#workers[at] = worker;
    void worker.ended.then(() => {
      if (this.#workers[at] === worker) this.#workers[at] = undefined;
    });
    return worker;
  }
}

async function stopOrKill(worker: WorkerProcess): Promise<void> {
  const timer = setTimeout(() => worker.kill(), stopMs);
  await worker.stop();
  clearTimeout(timer);
}
