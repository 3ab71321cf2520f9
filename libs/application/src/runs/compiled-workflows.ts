import { Injectable } from '@nestjs/common';

import { type CompiledWorkflow, compileWorkflow, workflowDefinition } from '#workflow';

import { ResourceNotFoundError } from '../errors.js';
import { WorkflowStore } from '../workflows/workflow-store.js';
import { type WorkflowView } from '../workflows/workflows.messages.js';

export type PublishedDefinition = Readonly<{ view: WorkflowView; workflow: CompiledWorkflow }>;

/** Definitions never change under their hash. */
const mostCompiled = 500;

/** Published definitions, compiled once in each process. */
@Injectable()
export class CompiledWorkflows {
  readonly #compiled = new Map<string, CompiledWorkflow>();

  constructor(private readonly store: WorkflowStore) {}

  /** A version, or the one in force. Throws ResourceNotFoundError. */
  async find(
    workspace: string,
    definitionId: string,
    version?: number,
  ): Promise<PublishedDefinition> {
    const found = await this.store.find({ workspace, definitionId }, version);
    if (!found) {
      const of = version === undefined ? '' : `version ${version} of `;
      throw new ResourceNotFoundError(`there is no ${of}workflow "${definitionId}" here`);
    }
    const { definition, ...view } = found;
    const workflow =
      this.#compiled.get(view.hash) ?? compileWorkflow(workflowDefinition.parse(definition));
    this.#keep(view.hash, workflow);
    return { view, workflow };
  }

  #keep(hash: string, workflow: CompiledWorkflow): void {
    this.#compiled.delete(hash);
    this.#compiled.set(hash, workflow);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size > mostCompiled && oldest !== undefined) this.#compiled.delete(oldest);
  }
}
