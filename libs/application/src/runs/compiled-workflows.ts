import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type CompiledWorkflow, compileWorkflow, workflowDefinition } from '#workflow';

import { ResourceNotFoundError } from '../errors.js';
import { WorkflowStore } from '../workflows/workflow-store.js';
import { type WholeWorkflowView, type WorkflowView } from '../workflows/workflows.messages.js';

export type PublishedDefinition = Readonly<{ view: WorkflowView; workflow: CompiledWorkflow }>;

type DefinitionKey = Readonly<{ workspace: string; definitionId: string }>;

const maxCompiled = 500;

/** Published definitions, compiled once per process: the content of a hash never changes. */
@Injectable()
export class CompiledWorkflows {
  readonly #compiled = new LRUCache<string, CompiledWorkflow>({ max: maxCompiled });

  constructor(private readonly store: WorkflowStore) {}

  /** Finds a version; the current one by default. Throws ResourceNotFoundError. */
  async find(key: DefinitionKey, version?: number): Promise<PublishedDefinition> {
    const found = await this.store.find(key, version);
    if (found) return { view: found, workflow: this.#compile(found) };
    const of = version === undefined ? '' : `version ${version} of `;
    throw new ResourceNotFoundError(`there is no ${of}workflow "${key.definitionId}" here`);
  }

  /** The definition with this hash; undefined if this process has not compiled it and the workspace has not published it. */
  async findByHash(key: DefinitionKey, hash: string): Promise<CompiledWorkflow | undefined> {
    const known = this.#compiled.get(hash);
    if (known) return known;
    const found = await this.store.findByHash(key, hash);
    return found && this.#compile(found);
  }

  /** As {@link findByHash}, but only if this process has compiled the definition. */
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
