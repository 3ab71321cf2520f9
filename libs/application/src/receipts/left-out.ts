import { Injectable } from '@nestjs/common';

import {
  type Gate,
  type ReceiptFacts,
  type Section,
  isShown,
  leftOutByChoice,
  refOf,
  viewKinds,
} from '#context-views';
import { type Item, kindsOfMembers, shownVersion } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { GatedReader } from '../audiences/gated-reader.js';
import { type ReachableSnapshot } from '../reading/reachable-context.js';
import { type ViewParameters } from '../views/view.messages.js';
import { parseViewParameters } from '../views/view-parameters.js';
import { viewSelection } from '../views/view-selection.js';
import { parseDocumentParameters } from './document-reproducer.js';
import { type LeftOut as Found } from './receipt.messages.js';
import { TextReproducer } from './text-reproducer.js';

/** Maximum number of listed items; the newest are listed. */
const mostListed = 500;

type Sight = Readonly<{ gate: Gate | undefined }>;
/** For whom: what it may see of what was there. */
type Asking = Readonly<{ there: ReadonlySet<string>; isWhole: boolean; principal: Principal }>;

/** What was there when something was read, and not shown, or not whole. */
@Injectable()
export class LeftOut {
  constructor(
    private readonly gated: GatedReader,
    private readonly audiences: Audiences,
    private readonly again: TextReproducer,
  ) {}

  /** Limited to what the reader sees. */
  async find(
    facts: ReceiptFacts,
    { gate, tag }: ReachableSnapshot,
    principal: Principal,
  ): Promise<Found> {
    const [there, sight] = [await this.#shown(facts, gate), await this.audiences.sightThen(facts)];
    const asking = {
      there: new Set(there.map(refOf)),
      // What a view shortened depends on all of its content, also on content that is hidden from the reader.
      isWhole: !gate || tag === facts.policy,
      principal,
    };
    return {
      byAudience: sight ? await this.#byAudience(facts, sight, { there, gate }) : null,
      byChoice: sight ? await this.#byChoice(facts, sight, asking) : null,
      byBudget: await this.#byBudget(facts, asking),
    };
  }

  async #byAudience(
    facts: ReceiptFacts,
    sight: Sight,
    { there, gate }: Readonly<{ there: readonly Item[]; gate: Gate | undefined }>,
  ): Promise<Found['byAudience']> {
    // Whether a step had failed may be hidden from the reader.
    if (gate && sight.gate?.asksForFailures) return null;
    const shown = new Set((await this.#shown(facts, sight.gate)).map(refOf));
    return there
      .filter((item) => !shown.has(refOf(item)))
      .map((item) => ({ ref: refOf(item), version: shownVersion(item.fromVersion) }))
      .toSorted((left, right) => left.version - right.version)
      .slice(-mostListed);
  }

  /** What an audience was shown of the context as it was then. */
  async #shown(facts: ReceiptFacts, gate: Gate | undefined): Promise<readonly Item[]> {
    const items = await this.#items(facts, { gate }, false);
    return items.filter((item) => !gate || isShown(gate, item));
  }

  async #byChoice(facts: ReceiptFacts, sight: Sight, asking: Asking): Promise<Found['byChoice']> {
    if (facts.kind === 'document') return this.#besideParts(facts, sight, asking);
    const parameters = facts.kind === 'view' ? parseViewParameters(facts.parameters) : undefined;
    if (!parameters) return null;
    if (!parameters.sections && !parameters.focus) return [];
    return asking.isWhole ? this.#byChoiceOf(parameters, facts, { ...sight, ...asking }) : null;
  }

  /** What other parts of a document would have shown. */
  async #besideParts(
    facts: ReceiptFacts,
    { gate }: Sight,
    { there }: Asking,
  ): Promise<Found['byChoice']> {
    const parameters = parseDocumentParameters(facts.parameters);
    if (!parameters?.parts) return parameters ? [] : null;
    const { kinds } = kindsOfMembers(parameters.parts);
    return (await this.#shown(facts, gate))
      .filter((item) => !kinds.includes(item.kind) && there.has(refOf(item)))
      .map((item) => ({ ref: refOf(item), version: shownVersion(item.fromVersion) }))
      .toSorted((left, right) => left.version - right.version)
      .slice(-mostListed);
  }

  async #byChoiceOf(
    { sections, focus }: ViewParameters,
    facts: ReceiptFacts,
    { gate, there }: Sight & Asking,
  ): Promise<Found['byChoice']> {
    const contents = {
      ...{ contextId: facts.contextId, items: await this.#items(facts, { gate }, true) },
      sections: sections ? new Set<Section>(sections) : undefined,
      isShown: gate && ((item: Item) => isShown(gate, item)),
    };
    return leftOutByChoice(contents, focus)
      .filter(({ ref }) => there.has(ref))
      .map(({ ref, version }) => ({ ref, version: shownVersion(version) }))
      .slice(-mostListed);
  }

  async #byBudget(
    facts: ReceiptFacts,
    { there, isWhole, principal }: Asking,
  ): Promise<Found['byBudget']> {
    if (facts.kind === 'document') return [];
    const view = isWhole ? await this.again.findView(facts, principal) : undefined;
    if (!view) return null;
    return view.items
      .filter(({ ref, form }) => form !== 'whole' && (form === 'rollup' || there.has(ref)))
      .slice(-mostListed);
  }

  async #items(facts: ReceiptFacts, { gate }: Sight, bodies: boolean): Promise<readonly Item[]> {
    const asked = { id: facts, version: facts.version, gate };
    const selection = bodies ? viewSelection : { kinds: viewKinds, bodies };
    const { state } = await this.gated.read(asked, selection);
    // What the rows have not reached yet is folded, whatever it is.
    return [...state.values()].filter(({ kind }) => viewKinds.includes(kind));
  }
}
