import { Injectable } from '@nestjs/common';

import { type ContextCommand, findRun, isActiveRun, runKey } from '#shared-context';
import { everything } from '#visibility';
import { advanceCommand } from '#workflow';

import { requireFullVisibility } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { StoreClock } from './store-clock.js';

/** Cancels the active run of a context in the same append as a write that needs a context without an active run. */
@Injectable()
export class RunCancellation {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly clock: StoreClock,
  ) {}

  /** The command to put first; empty if no run is active. The run ends at once, without waiting for its attempts. */
  async commandsFor(
    principal: Principal,
    contextId: string,
    reason: string,
  ): Promise<readonly ContextCommand[]> {
    requireFullVisibility(principal);
    const request = { principal, contextId, audience: everything };
    const { state } = await this.contexts.read(request, { keys: [runKey], bodies: false });
    const run = findRun(state.lookup);
    if (!isActiveRun(run)) return [];
    const { now, epoch } = await this.clock.read();
    const facts = { contextId, runId: run.runId, now, random: 0, epoch };
    const by = principal.name;
    return [advanceCommand(undefined, { type: 'cancel', graceMs: 0, reason, by }, facts)];
  }
}
