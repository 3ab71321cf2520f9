import { path } from './address.js';
import { type Api, type Page, type QueryOf, type Run } from './api.js';
import { Endpoints, type ReadOptions } from './endpoints.js';
import { ThroughlineError } from './errors.js';
import { type HttpClient } from './http-client.js';
import { type WriteOptions } from './request-options.js';
import { waitSecondsWithin } from './long-poll.js';
import { type List } from './pages.js';
import { pause } from './pause.js';

type RunSummary = Api.ListRunsResponse['items'][number];
export type WaitOptions = ReadOptions &
  Readonly<{
    /** No limit by default. */
    timeoutMs?: number | undefined;
  }>;

/** A server that does not wait, such as a stopping one, answers immediately. */
const minPauseMs = 500;
const endings = ['RunCompleted', 'RunFailed', 'RunCancelled'];
const activeStates: ReadonlySet<Run['status']> = new Set(['running', 'paused', 'cancelling']);

/** Runs of workflows. */
export class Runs {
  readonly #endpoints: Endpoints;

  constructor(http: HttpClient) {
    this.#endpoints = new Endpoints(http, '/v1');
  }

  start(
    contextId: string,
    body: Api.StartRunData['body'],
    options?: WriteOptions,
  ): Promise<Api.StartRunResponse & Readonly<{ runId: string }>> {
    return this.#endpoints.send('POST', path`/contexts/${contextId}/run`, body, options);
  }

  /** The latest run of a context. */
  get(contextId: string, options?: ReadOptions): Promise<Run> {
    return this.#endpoints.read(path`/contexts/${contextId}/run`, undefined, options);
  }

  list(query?: QueryOf<Api.ListRunsData>, options?: ReadOptions): List<RunSummary> {
    return this.#endpoints.list('/runs', query, options);
  }

  /**
   * Resolves with the latest run of the context when it has ended, with any outcome: see `status` and `success`. Rejects with the
   * code `run-not-ended` after `timeoutMs`.
   */
  async wait(contextId: string, { timeoutMs = Infinity, signal }: WaitOptions = {}): Promise<Run> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      // The version is read before the run, so that the end of an active run comes after this version.
      const after = await this.#versionOf(contextId, signal);
      const run = await this.get(contextId, { signal });
      if (!activeStates.has(run.status)) return run;
      const leftMs = until - performance.now();
      if (leftMs <= 0)
        throw new ThroughlineError('run-not-ended', `run ${run.runId} is still ${run.status}`);
      await this.#waitForEnd(contextId, after, { timeoutMs: leftMs, signal });
    }
  }

  /** Resolves when a run may have ended, or after the wait of a long poll. */
  async #waitForEnd(
    contextId: string,
    after: number,
    { timeoutMs = Infinity, signal }: WaitOptions,
  ): Promise<void> {
    const startedAt = performance.now();
    const wait = Math.min(
      waitSecondsWithin(this.#endpoints.http.timeoutMs),
      Math.ceil(timeoutMs / 1_000),
    );
    const query = { after, limit: 1, types: endings.join(','), wait };
    const below = path`/contexts/${contextId}/events`;
    const { items } = await this.#endpoints.read<Page<unknown>>(below, query, { signal });
    if (items.length > 0 || performance.now() - startedAt >= minPauseMs) return;
    await pause(Math.min(minPauseMs, timeoutMs), signal);
  }

  pause(contextId: string, body: Api.PauseRunData['body'] = {}, options?: WriteOptions) {
    return this.#control<Api.PauseRunResponse>(contextId, 'pause', body, options);
  }

  resume(contextId: string, body: Api.ResumeRunData['body'] = {}, options?: WriteOptions) {
    return this.#control<Api.ResumeRunResponse>(contextId, 'resume', body, options);
  }

  cancel(contextId: string, body: Api.CancelRunData['body'] = {}, options?: WriteOptions) {
    return this.#control<Api.CancelRunResponse>(contextId, 'cancel', body, options);
  }

  #control<T>(contextId: string, verb: string, body: unknown, options?: WriteOptions): Promise<T> {
    const below = `${path`/contexts/${contextId}/run`}/${verb}`;
    return this.#endpoints.send('POST', below, body, options);
  }

  async #versionOf(contextId: string, signal: AbortSignal | undefined): Promise<number> {
    const query = { parts: '_version' };
    const below = path`/contexts/${contextId}`;
    return (await this.#endpoints.read<{ _version: number }>(below, query, { signal }))._version;
  }
}
