import { Injectable } from '@nestjs/common';

import { isDomainError } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { firstAudience } from '../audiences/audiences.js';
import { AttemptFacts, type CurrentFacts } from './attempt-facts.js';
import { DeniedClaims } from './denied-claims.js';
import { EnvelopeMaker, type ScheduledAttempt } from './envelope-maker.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** An attempt and the facts that are read before its start. */
export type PreparedAttempt = Readonly<{ scheduled: ScheduledAttempt; facts: CurrentFacts }>;

/** Reads attempts before their start. */
@Injectable()
export class PreparedAttempts {
  /** Attempts that are being read for an audience: the result would be the same for all workers of that audience. */
  readonly #pending = new Set<string>();

  constructor(
    readonly facts: AttemptFacts,
    readonly envelopes: EnvelopeMaker,
    readonly denied: DeniedClaims,
  ) {}

  /** Undefined if the attempt is not scheduled. */
  async read(principal: Principal, waiting: WaitingAttempt): Promise<PreparedAttempt | undefined> {
    const [scheduled, facts] = await Promise.all([
      this.envelopes.find(principal, waiting),
      this.facts.read(principal.workspace),
    ]);
    return scheduled && { scheduled, facts };
  }

  /**
   * As {@link read}, but undefined also if some input of the step is hidden from the worker; the attempt is then denied to
   * it.
   */
  async readVisible(
    principal: Principal,
    waiting: WaitingAttempt,
  ): Promise<PreparedAttempt | undefined> {
    const { contextId, stepId, version } = waiting;
    const audience = firstAudience(principal);
    const name = JSON.stringify([principal.workspace, audience, contextId, stepId, version]);
    if (this.#pending.has(name)) return undefined;
    this.#pending.add(name);
    try {
      const prepared = await unlessRefused(() => this.read(principal, waiting));
      const hidden = prepared && this.envelopes.findHidden(prepared.scheduled, prepared.facts);
      if (hidden === undefined) return prepared;
      await this.denied.deny(principal, waiting, hidden);
      return undefined;
    } finally {
      this.#pending.delete(name);
    }
  }
}

/** Codes of errors by which a run refuses the start of an attempt. */
const refusals: ReadonlySet<string> = new Set([
  'run-state',
  'stale-attempt',
  'context-not-found',
  'context-closed',
  'not-found',
]);

/** Returns undefined if the run refuses, because its row was out of date: workers need not know that. */
export async function unlessRefused<Result>(
  start: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  try {
    return await start();
  } catch (error) {
    if (!(isDomainError(error) && refusals.has(error.code))) throw error;
    return undefined;
  }
}
