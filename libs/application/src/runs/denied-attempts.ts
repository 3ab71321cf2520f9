import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { RUN_OPTIONS, type RunOptions } from '../tokens.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { UnrestrictedWorkers } from './unrestricted-workers.js';

/** After this time, workers of an audience are tried again, because its policy may show more by then. */
const longestDenialMs = 60_000;
const maxCached = 10_000;

type DeniedAttempt = Readonly<{
  workspace: string;
  attempt: WaitingAttempt;
  /** When it was first denied, by the monotonic clock. */
  since: number;
  /** When it was last denied, by audience. */
  audiences: Map<string, number>;
}>;

/** The workers to which attempts are denied. */
type DenialFilter = Readonly<{ workspace: string; audience: string; agents: readonly string[] }>;

/** Attempts that this process has denied to workers that do not see all inputs of the step. */
@Injectable()
export class DeniedAttempts {
  readonly #attempts = new LRUCache<string, DeniedAttempt>({ max: maxCached });

  constructor(
    @Inject(RUN_OPTIONS) private readonly options: Pick<RunOptions, 'hiddenInputMs'>,
    private readonly unrestricted: UnrestrictedWorkers,
  ) {}

  /**
   * Records a denial. Returns whether the attempt was reserved for other workers long enough: `hiddenInputMs` have passed
   * since its first denial, and since the last sign of a worker of its agent that sees everything.
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
    const lastActivity = this.unrestricted.lastActivity(workspace, attempt.agent) ?? denied.since;
    return now - Math.max(denied.since, lastActivity) >= this.options.hiddenInputMs;
  }

  /** Whether the attempt must not be offered to workers of this audience now. */
  isDenied(workspace: string, audience: string, attempt: WaitingAttempt): boolean {
    const denied = this.#attempts.peek(nameOf(workspace, attempt));
    return denied !== undefined && this.#isDeniedTo(audience, denied);
  }

  /** The attempts of these agents that must not be offered to workers of this audience now. */
  deniedTo({ workspace, audience, agents }: DenialFilter): readonly WaitingAttempt[] {
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
