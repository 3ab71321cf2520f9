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

type FollowerOptions = Readonly<{
  api: ApiClient;
  signal: AbortSignal;
  /** Called when the server becomes unavailable, and when it answers again. */
  notice: (text: string) => void;
}>;

/**
 * Sends requests until the signal aborts, and then returns undefined. If a server that has answered before becomes
 * unavailable, the same request is repeated, so that no event is skipped or repeated.
 */
export class Follower {
  #answered = false;
  #lost = false;

  constructor(private readonly following: FollowerOptions) {}

  async ask<Output>(schema: z.ZodType<Output>, request: ApiRequest): Promise<Output | undefined> {
    const answer = await this.send(request);
    return answer && parseAnswer(schema, answer);
  }

  /** Returns only the version of the context in an answer. */
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

  /** Returns undefined if it was stopped, or if the server is temporarily unavailable. */
  async #once(request: ApiRequest): Promise<ApiAnswer | undefined> {
    const { api, signal } = this.following;
    try {
      const answer = await api.send({ ...request, signal });
      this.#notify(false);
      this.#answered = true;
      return answer;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!this.#answered || !isTemporary(error)) throw error;
      this.#notify(true);
      return undefined;
    }
  }

  #notify(lost: boolean): void {
    if (lost === this.#lost) return;
    this.#lost = lost;
    const { notice } = this.following;
    notice(
      lost ? 'the server does not answer; retrying until it does' : 'the server answers again',
    );
  }
}

function isTemporary(error: unknown): boolean {
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
