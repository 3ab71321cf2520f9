import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { RUN_OPTIONS, type RunOptions } from '../tokens.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { WideWorkers } from './wide-workers.js';

/** Workers of an audience are asked again after this time at the latest, since a policy may show more by then. */
const longestDenialMs = 60_000;
const maxRemembered = 10_000;

type DeniedAttempt = Readonly<{
  workspace: string;
  attempt: WaitingAttempt;
  /** When it was first denied, by the monotonic clock. */
  since: number;
  /** When it was last denied, by audience. */
  audiences: Map<string, number>;
}>;

/** The workers to whom attempts are denied. */
type DenialFilter = Readonly<{ workspace: string; audience: string; agents: readonly string[] }>;

/** Attempts that this process has denied to workers that do not see what the step names. */
@Injectable()
export class DeniedAttempts {
  readonly #attempts = new LRUCache<string, DeniedAttempt>({ max: maxRemembered });

  constructor(
    @Inject(RUN_OPTIONS) private readonly options: Pick<RunOptions, 'hiddenInputMs'>,
    private readonly wide: WideWorkers,
  ) {}

  /**
   * Returns whether the attempt was left to other workers long enough: `hiddenInputMs` since its first denial, and since this process last heard
   * of a worker of its agent that sees everything.
   */
  deny(workspace: string, audience: string, attempt: WaitingAttempt): boolean {
    const now = performance.now();
    const name = nameOf(workspace, attempt);
    const denied = this.#attempts.get(name) ?? {
      workspace,
      attempt,
      since: now,
      audiences: new Map<string, number>(),
    };
    denied.audiences.set(audience, now);
    this.#attempts.set(name, denied);
    const heard = this.wide.lastHeard(workspace, attempt.agent) ?? denied.since;
    return now - Math.max(denied.since, heard) >= this.options.hiddenInputMs;
  }

  /** Whether workers of this audience are not to be asked. */
  isDenied(workspace: string, audience: string, attempt: WaitingAttempt): boolean {
    const denied = this.#attempts.peek(nameOf(workspace, attempt));
    return denied !== undefined && this.#isDeniedTo(audience, denied);
  }

  /** The attempts of these agents that workers of this audience are not to be asked about. */
  of({ workspace, audience, agents }: DenialFilter): readonly WaitingAttempt[] {
    const found: WaitingAttempt[] = [];
    for (const denied of this.#attempts.values())
      if (
        denied.workspace === workspace &&
        agents.includes(denied.attempt.agent) &&
        this.#isDeniedTo(audience, denied)
      )
        found.push(denied.attempt);
    return found;
  }

  #isDeniedTo(audience: string, { audiences }: DeniedAttempt): boolean {
    const last = audiences.get(audience);
    const forMs = Math.min(this.options.hiddenInputMs, longestDenialMs);
    return last !== undefined && performance.now() - last < forMs;
  }
}

function nameOf(workspace: string, { contextId, version, stepId }: WaitingAttempt): string {
  return JSON.stringify([workspace, contextId, version, stepId]);
}
