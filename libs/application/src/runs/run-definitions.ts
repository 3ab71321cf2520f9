import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type ContextId, type RunFacts } from '#shared-context';
import { type CompiledWorkflow } from '#workflow';

import { CompiledWorkflows } from './compiled-workflows.js';
import { StoreClock, type StoreTime } from './store-clock.js';
import { DefaultRecoveries } from './default-recoveries.js';

/** `workflow`: undefined if this store does not contain the definition of the run. */
export type FoundRun = StoreTime &
  Readonly<{ run: RunFacts; workflow: CompiledWorkflow | undefined }>;

/** The definition of a run, and the hash of its content. */
export type RunDefinition = Readonly<{ hash: string; workflow: CompiledWorkflow }>;

const maxRuns = 10_000;

/** Finds the definitions with which runs were started, and the time and epoch of the store. */
@Injectable()
export class RunDefinitions {
  /** Hashes of definitions, by context and run: a run never changes its definition. */
  readonly #hashes = new LRUCache<string, string>({ max: maxRuns });

  constructor(
    private readonly workflows: CompiledWorkflows,
    private readonly clock: StoreClock,
    /** The default recoveries of attempts in doubt, for steps that state none. */
    readonly recoveries: DefaultRecoveries,
  ) {}

  async load(id: ContextId, run: RunFacts): Promise<FoundRun> {
    const [workflow, time] = await Promise.all([this.findWorkflow(id, run), this.clock.read()]);
    return { run, workflow, ...time };
  }

  /** Undefined if this store does not contain the definition. */
  async findWorkflow(
    id: ContextId,
    { runId, definitionId, hash }: RunFacts,
  ): Promise<CompiledWorkflow | undefined> {
    const { workspace } = id;
    const workflow = await this.workflows.findByHash({ workspace, definitionId }, hash);
    if (workflow) this.#hashes.set(nameOf(id, runId), hash);
    return workflow;
  }

  /** The definition of a run without reading the run, if this process has found it before. */
  recall(id: ContextId, runId: string): RunDefinition | undefined {
    const hash = this.#hashes.get(nameOf(id, runId));
    const workflow = hash === undefined ? undefined : this.workflows.recall(hash);
    return hash !== undefined && workflow ? { hash, workflow } : undefined;
  }
}

function nameOf({ workspace, contextId }: ContextId, runId: string): string {
  return JSON.stringify([workspace, contextId, runId]);
}
