import { isOpen } from '#shared-context';
import { branchesOf, resultFor, RunDraft, valueOf } from '#workflow';

import { type RunWorld } from './run-world.js';

/**
 * Records the values at the beginning of each parallel step, and compares the values that its branches see of each
 * other. For tests.
 */
export class SiblingWatch {
  readonly #began = new Map<string, ReadonlyMap<string, string>>();

  constructor(private readonly world: RunWorld) {
    this.check();
  }

  check(): void {
    const { world } = this;
    for (const step of Object.values(world.workflow.steps)) {
      if (step.type !== 'parallel' || !isOpen(world.step(step.id))) continue;
      const { path } = world.step(step.id);
      const began = this.#began.get(path ?? '') ?? this.#valuesBefore(step.id);
      this.#began.set(path ?? '', began);
      this.#compare(step.id, began);
    }
  }

  /** The results of the inner steps from before the parallel step began. */
  #valuesBefore(parallel: string): ReadonlyMap<string, string> {
    const { startedVersion } = this.world.step(parallel);
    return new Map(
      this.#within(parallel).map((stepId) => {
        const result = this.world
          .step(stepId)
          .results.findLast(({ version }) => version < startedVersion);
        return [stepId, result ? result.path : 'nothing'];
      }),
    );
  }

  #compare(parallel: string, began: ReadonlyMap<string, string>): void {
    const { branches } = branchesOf(this.world.workflow, parallel);
    const draft = this.#draft();
    const pairs = branches.flatMap(({ steps }) => {
      const others = this.#within(parallel).filter((other) => !this.#isInside(other, steps));
      return [...steps].flatMap((reader) => others.map((other) => ({ reader, other })));
    });
    for (const { reader, other } of pairs) {
      const result = resultFor(draft, reader, other);
      expect(`${other}: ${result?.path ?? 'nothing'}`).toBe(`${other}: ${began.get(other)}`);
      // The value can be read, regardless of later values: workers write the number of the visit into it.
      if (result?.hasOutput && result.author?.principal === 'worker')
        expect(valueOf(draft, other, result)).toMatchObject({ of: result.path });
    }
  }

  #draft(): RunDraft {
    const { runId, epoch, events } = this.world;
    const circumstances = {
      contextId: 'c1',
      runId,
      epoch,
      now: 0,
      random: 0,
      version: events.length,
    };
    return new RunDraft(this.world.state.lookup, this.world.workflow, circumstances);
  }

  /** All steps within a parallel step, at any depth. */
  #within(parallel: string): readonly string[] {
    const { branches } = branchesOf(this.world.workflow, parallel);
    const direct = branches.flatMap(({ steps }) => [...steps]);
    return direct.flatMap((stepId) => [stepId, ...this.#within(stepId)]);
  }

  #isInside(stepId: string, steps: ReadonlySet<string>): boolean {
    const parent = this.world.workflow.steps[stepId]?.parent;
    return steps.has(stepId) || (parent !== undefined && this.#isInside(parent, steps));
  }
}
