import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type CompiledWorkflow, compileWorkflow, workflowDefinition } from '#workflow';

import { ResourceNotFoundError } from '../errors.js';
import { WorkflowStore } from '../workflows/workflow-store.js';
import { type WholeWorkflowView, type WorkflowView } from '../workflows/workflows.messages.js';

export type PublishedDefinition = Readonly<{ view: WorkflowView; workflow: CompiledWorkflow }>;

/** Which definition, in which workspace. */
type DefinitionPlace = Readonly<{ workspace: string; definitionId: string }>;

const maxCompiled = 500;

/** Published definitions, compiled once in each process: content never changes under its hash. */
@Injectable()
export class CompiledWorkflows {
  readonly #compiled = new LRUCache<string, CompiledWorkflow>({ max: maxCompiled });

  constructor(private readonly store: WorkflowStore) {}

  /** A version, or the one in force. Throws ResourceNotFoundError. */
  async find(place: DefinitionPlace, version?: number): Promise<PublishedDefinition> {
    const found = await this.store.find(place, version);
    if (found) return { view: found, workflow: this.#compile(found) };
    const of = version === undefined ? '' : `version ${version} of `;
    throw new ResourceNotFoundError(`there is no ${of}workflow "${place.definitionId}" here`);
  }

  /** The definition with this content; undefined if neither this process has compiled it before nor this workspace has published it. */
  async withHash(place: DefinitionPlace, hash: string): Promise<CompiledWorkflow | undefined> {
    const known = this.#compiled.get(hash);
    if (known) return known;
    const found = await this.store.findByHash(place, hash);
    return found && this.#compile(found);
  }

  /** As {@link withHash}, if this process has it ready. */
  recall(hash: string): CompiledWorkflow | undefined {
    return this.#compiled.get(hash);
  }

  #compile({ definition, hash }: WholeWorkflowView): CompiledWorkflow {
    const workflow =
      this.#compiled.get(hash) ?? compileWorkflow(workflowDefinition.parse(definition));
    this.#compiled.set(hash, workflow);
    return workflow;
  }
}
