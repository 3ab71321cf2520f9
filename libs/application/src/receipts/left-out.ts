import { Injectable } from '@nestjs/common';

import { type Gate, type ReceiptFacts, isShown, refOf, viewKinds } from '#context-views';
import { type Item, shownVersion } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { GatedReader } from '../audiences/gated-reader.js';
import { type ReachableSnapshot } from '../reading/reachable-context.js';
import { type LeftOut as Found } from './receipt.messages.js';
import { ShownAgain } from './shown-again.js';

/** The newest of more are told. */
const mostListed = 500;

/** What was there when something was read, and not shown, or not whole. */
@Injectable()
export class LeftOut {
  constructor(
    private readonly gated: GatedReader,
    private readonly audiences: Audiences,
    private readonly again: ShownAgain,
  ) {}

  /** As far as who asks sees it. */
  async find(
    facts: ReceiptFacts,
    { gate }: ReachableSnapshot,
    principal: Principal,
  ): Promise<Found> {
    const there = await this.#shown(facts, gate);
    return {
      byAudience: await this.#byAudience(facts, there),
      byBudget: await this.#byBudget(facts, there, principal),
    };
  }

  async #byAudience(facts: ReceiptFacts, there: readonly Item[]): Promise<Found['byAudience']> {
    const sight = await this.audiences.sightThen(facts);
    if (!sight) return null;
    const shown = new Set((await this.#shown(facts, sight.gate)).map(refOf));
    return there
      .filter((item) => !shown.has(refOf(item)))
      .map((item) => ({ ref: refOf(item), version: shownVersion(item.fromVersion) }))
      .toSorted((left, right) => left.version - right.version)
      .slice(-mostListed);
  }

  /** What an audience was shown of the context as it was then. */
  async #shown(facts: ReceiptFacts, gate: Gate | undefined): Promise<readonly Item[]> {
    const asked = { id: facts, version: facts.version, gate };
    const { state } = await this.gated.read(asked, { kinds: viewKinds, bodies: false });
    return [...state.values()].filter((item) => !gate || isShown(gate, item));
  }

  async #byBudget(
    facts: ReceiptFacts,
    there: readonly Item[],
    principal: Principal,
  ): Promise<Found['byBudget']> {
    if (facts.kind === 'document') return [];
    const view = await this.again.findView(facts, principal);
    if (!view) return null;
    const refs = new Set(there.map(refOf));
    return view.items
      .filter(({ ref, form }) => form !== 'whole' && (form === 'rollup' || refs.has(ref)))
      .slice(-mostListed);
  }
}
