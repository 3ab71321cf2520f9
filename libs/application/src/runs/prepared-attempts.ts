import { Injectable } from '@nestjs/common';

import { isDomainError } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { firstAudience } from '../audiences/audiences.js';
import { AttemptFacts, type CurrentFacts } from './attempt-facts.js';
import { DeniedClaims } from './denied-claims.js';
import { EnvelopeMaker, type ScheduledAttempt } from './envelope-maker.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** What is read of an attempt before it is started. */
export type PreparedAttempt = Readonly<{ scheduled: ScheduledAttempt; facts: CurrentFacts }>;

/** Reads attempts that are to be started. */
@Injectable()
export class PreparedAttempts {
  /** Attempts that are being read for workers of an audience: the answer would be the same for all of these workers. */
  readonly #shown = new Set<string>();

  constructor(
    readonly facts: AttemptFacts,
    readonly envelopes: EnvelopeMaker,
    readonly denied: DeniedClaims,
  ) {}

  /** Undefined if the attempt does not wait for its start. */
  async read(principal: Principal, waiting: WaitingAttempt): Promise<PreparedAttempt | undefined> {
    const [scheduled, facts] = await Promise.all([
      this.envelopes.find(principal, waiting),
      this.facts.read(principal.workspace),
    ]);
    return scheduled && { scheduled, facts };
  }

  /** Undefined also if the worker does not see what the step needs; the attempt is then denied to it. */
  async readShown(
    principal: Principal,
    waiting: WaitingAttempt,
  ): Promise<PreparedAttempt | undefined> {
    const { contextId, stepId, version } = waiting;
    const audience = firstAudience(principal);
    const name = JSON.stringify([principal.workspace, audience, contextId, stepId, version]);
    if (this.#shown.has(name)) return undefined;
    this.#shown.add(name);
    try {
      const prepared = await unlessRefused(() => this.read(principal, waiting));
      const hidden = prepared && this.envelopes.findHidden(prepared.scheduled, prepared.facts);
      if (hidden === undefined) return prepared;
      await this.denied.deny(principal, waiting, hidden);
      return undefined;
    } finally {
      this.#shown.delete(name);
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

/** Undefined if the run refuses, as its row was out of date: the worker need not know. */
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
