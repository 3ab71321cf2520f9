import { Injectable } from '@nestjs/common';

import { type RunFacts } from '#shared-context';
import { type CompiledWorkflow } from '#workflow';

import { CompiledWorkflows } from './compiled-workflows.js';
import { StoreClock, type StoreTime } from './store-clock.js';
import { UsualRecoveries } from './usual-recoveries.js';

/** `workflow`: undefined if the definition of the run is not in this store. */
export type FoundRun = StoreTime &
  Readonly<{ run: RunFacts; workflow: CompiledWorkflow | undefined }>;

/** What runs are decided with: the definition that each was started with, the time, and the epoch of the store. */
@Injectable()
export class RunDefinitions {
  constructor(
    private readonly workflows: CompiledWorkflows,
    private readonly clock: StoreClock,
    /** How attempts in doubt are recovered if their step does not say so. */
    readonly recoveries: UsualRecoveries,
  ) {}

  async with(workspace: string, run: RunFacts): Promise<FoundRun> {
    const { definitionId, hash } = run;
    const [workflow, time] = await Promise.all([
      this.workflows.withHash({ workspace, definitionId }, hash),
      this.clock.read(),
    ]);
    return { run, workflow, ...time };
  }
}
