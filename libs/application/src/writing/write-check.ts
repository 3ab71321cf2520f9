import { Inject, Injectable } from '@nestjs/common';

import { ContextReader } from '#read-models';
import { runInSlices } from '#slices';

import { WRITER_OPTIONS } from '../tokens.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { type CommandProcessorOptions } from './command-processor.js';
import { type Outcome, type Round, decideInTurn } from './decide-round.js';
import { DecisionInputLoader } from './decision-input-loader.js';
import { loadedFor } from './loaded-for.js';
import { ItemsMissingError } from './loaded-keys.js';
import { type PreparedWrite } from './prepared-write.js';
import { SpeculativeSnapshotCache } from './speculative-snapshot-cache.js';

/**
 * The results that writes would have: the types of the events that they would store, and the number of events that they
 * stored if they were sent before.
 */
export type CheckedWrites = Readonly<{ types: readonly string[]; stored: number; version: number }>;

/** Decides writes without storing them. */
@Injectable()
export class WriteCheck {
  readonly #loader: DecisionInputLoader;

  constructor(
    reader: ContextReader,
    transformations: TransformationStore,
    @Inject(WRITER_OPTIONS) private readonly options: CommandProcessorOptions,
  ) {
    const recent = new SpeculativeSnapshotCache(options.now);
    const { appendTimeoutMs: timeoutMs } = options;
    const dependencies = { reader, transformations, recent, checksCounters: false, timeoutMs };
    this.#loader = new DecisionInputLoader(dependencies);
  }

  /**
   * Decides writes to one context, each on the results of the ones before it; throws the error of the first refused
   * one.
   */
  async check(writes: readonly PreparedWrite[]): Promise<CheckedWrites> {
    const loaded = await runInSlices(loadedFor(writes));
    for (;;) {
      const { before, transformations } = await this.#loader.load(writes, loaded, false);
      const roundInput = { snapshot: before, loaded, now: this.options.now(), transformations };
      try {
        return checked(await runInSlices(decideInTurn(roundInput, writes)));
      } catch (error) {
        if (!(error instanceof ItemsMissingError)) throw error;
        loaded.add(error.keys);
      }
    }
  }
}

function checked({ draft: { events, head }, outcomes }: Round): CheckedWrites {
  const stored = outcomes.map(storedBefore).reduce((sum, count) => sum + count, 0);
  return { types: events.map(({ type }) => type), stored, version: head?.version ?? 0 };
}

function storedBefore(outcome: Outcome): number {
  if (outcome.kind === 'refused' || outcome.kind === 'recorded') throw outcome.error;
  return outcome.kind === 'replay' ? outcome.count : 0;
}
