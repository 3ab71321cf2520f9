import { Injectable } from '@nestjs/common';

import { type RunFacts } from '#shared-context';
import { type CompiledWorkflow } from '#workflow';

import { CompiledWorkflows, type PublishedDefinition } from './compiled-workflows.js';
import { RunClock } from './run-clock.js';

/** The epoch of the store. Nothing raises it yet: after a restore beneath the product, runs have to be paused by hand. */
export const storeEpoch = 0;

/** What runs are decided with: the definition that each was started with, and the time. */
@Injectable()
export class RunDefinitions {
  constructor(
    private readonly workflows: CompiledWorkflows,
    private readonly clock: RunClock,
  ) {}

  /** By the clock of the database, in milliseconds. */
  now(): Promise<number> {
    return this.clock.now();
  }

  /** A version, or the one in force. Throws ResourceNotFoundError. */
  published(
    workspace: string,
    definitionId: string,
    version?: number,
  ): Promise<PublishedDefinition> {
    return this.workflows.find(workspace, definitionId, version);
  }

  async of(
    workspace: string,
    { definitionId, definitionVersion }: RunFacts,
  ): Promise<Readonly<{ workflow: CompiledWorkflow; now: number }>> {
    const [{ workflow }, now] = await Promise.all([
      this.workflows.find(workspace, definitionId, definitionVersion),
      this.clock.now(),
    ]);
    return { workflow, now };
  }
}
