import { setTimeout as wait } from 'node:timers/promises';

import { type z } from 'zod';

import {
  type ApiAnswer,
  type ApiClient,
  type ApiRequest,
  parseAnswer,
  versionOf,
} from '../api-client.js';
import { CliError } from '../cli-error.js';
import { exitCodes } from '../exit-code.js';

const firstPauseMs = 200;
const longestPauseMs = 5_000;

type Following = Readonly<{
  api: ApiClient;
  signal: AbortSignal;
  /** Called once when the server is lost, and once when it is back. */
  notice: (text: string) => void;
}>;

/**
 * Asks until the signal ends it, answering undefined then. A server that has answered before may go away and come
 * back: the same question is asked again, so that nothing between is skipped or repeated.
 */
export class Follower {
  #answered = false;
  #lost = false;

  constructor(private readonly following: Following) {}

  async ask<Output>(schema: z.ZodType<Output>, request: ApiRequest): Promise<Output | undefined> {
    const answer = await this.send(request);
    return answer && parseAnswer(schema, answer);
  }

  /** Only which version of a context an answer is of. */
  async askVersion(request: ApiRequest): Promise<number | undefined> {
    const answer = await this.send(request);
    return answer && versionOf(answer);
  }

  async send(request: ApiRequest): Promise<ApiAnswer | undefined> {
    const { signal } = this.following;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const answer = await this.#once(request);
      if (answer) return answer;
      if (signal.aborted || !(await pause(pauseMs, signal))) return undefined;
    }
  }

  /** Undefined if it was stopped, or no answer came that may yet come. */
  async #once(request: ApiRequest): Promise<ApiAnswer | undefined> {
    const { api, signal } = this.following;
    try {
      const answer = await api.send({ ...request, signal });
      this.#tell(false);
      this.#answered = true;
      return answer;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!this.#answered || !isPassing(error)) throw error;
      this.#tell(true);
      return undefined;
    }
  }

  #tell(lost: boolean): void {
    if (lost === this.#lost) return;
    this.#lost = lost;
    const { notice } = this.following;
    notice(lost ? 'the server does not answer; trying until it does' : 'the server is back');
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === exitCodes.unavailable;
}

/** Waits `ms` milliseconds, or until the signal aborts; false if it has. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return !signal.aborted;
}
