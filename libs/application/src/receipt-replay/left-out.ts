import { Injectable } from '@nestjs/common';

import { type ReceiptFacts, type Section, leftOutByChoice, refOf, viewKinds } from '#context-views';
import { type Item, kindsOfMembers, shownVersion } from '#shared-context';
import { type Gate, isShown } from '#visibility';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import {
  type EarlierRead,
  ReachableContext,
  type ReachableSnapshot,
} from '../reading/reachable-context.js';
import { type ViewParameters } from '../views/view.messages.js';
import { parseViewParameters } from '../views/view-parameters.js';
import { viewSelection } from '../views/view-site.js';
import { viewedItems } from '../views/view-snapshot.js';
import { parseDocumentParameters } from './document-reproducer.js';
import { type LeftOut as Found } from './receipt.messages.js';
import { TextReproducer } from './text-reproducer.js';

/** Maximum number of listed items; the newest are listed. */
const mostListed = 500;

type Sight = Readonly<{ gate: Gate | undefined }>;
/** The reader, and what of that version it may see. */
type Asking = Readonly<{ there: ReadonlySet<string>; isWhole: boolean; principal: Principal }>;

/** What was there when something was read, and not shown, or not whole. */
@Injectable()
export class LeftOut {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly audiences: Audiences,
    private readonly again: TextReproducer,
  ) {}

  /** Limited to what the reader sees. */
  async find(
    facts: ReceiptFacts,
    { gate, tag }: ReachableSnapshot,
    principal: Principal,
  ): Promise<Found> {
    const there = await this.#shown({ ...facts, principal, gate });
    const sight = await this.audiences.sightThen(facts);
    const asking = {
      there: new Set(there.map(refOf)),
      // What a view shortened depends on all of its content, also on content that is hidden from the reader.
      isWhole: !gate || tag === facts.policy,
      principal,
    };
    return {
      byAudience: sight
        ? await this.#byAudience({ ...facts, principal, gate }, sight, there)
        : null,
      byChoice: sight ? await this.#byChoice(facts, sight, asking) : null,
      byBudget: await this.#byBudget(facts, asking),
    };
  }

  async #byAudience(
    read: EarlierRead,
    sight: Sight,
    there: readonly Item[],
  ): Promise<Found['byAudience']> {
    // Whether a step had failed may be hidden from the reader.
    if (read.gate && sight.gate?.asksForFailures) return null;
    const shown = new Set((await this.#shown({ ...read, ...sight })).map(refOf));
    return there
      .filter((item) => !shown.has(refOf(item)))
      .map((item) => ({ ref: refOf(item), version: shownVersion(item.fromVersion) }))
      .toSorted((left, right) => left.version - right.version)
      .slice(-mostListed);
  }

  /** Reads the items of that version of the context that the gate lets through. */
  async #shown(read: EarlierRead): Promise<readonly Item[]> {
    const { gate } = read;
    const items = await this.#items(read, false);
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
    { there, principal }: Asking,
  ): Promise<Found['byChoice']> {
    const parameters = parseDocumentParameters(facts.parameters);
    if (!parameters?.parts) return parameters ? [] : null;
    const { kinds } = kindsOfMembers(parameters.parts);
    return (await this.#shown({ ...facts, principal, gate }))
      .filter((item) => !kinds.includes(item.kind) && there.has(refOf(item)))
      .map((item) => ({ ref: refOf(item), version: shownVersion(item.fromVersion) }))
      .toSorted((left, right) => left.version - right.version)
      .slice(-mostListed);
  }

  async #byChoiceOf(
    { sections, focus }: ViewParameters,
    facts: ReceiptFacts,
    { gate, there, principal }: Sight & Asking,
  ): Promise<Found['byChoice']> {
    const contents = {
      contextId: facts.contextId,
      items: await this.#items(
        {
          ...facts,
          principal,
          gate,
        },
        true,
      ),
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

  async #items(read: EarlierRead, bodies: boolean): Promise<readonly Item[]> {
    const selection = bodies ? viewSelection : { kinds: viewKinds, bodies };
    // Events behind the rows are folded, whatever they concern.
    return viewedItems((await this.contexts.readAsThen(read, selection)).state);
  }
}
