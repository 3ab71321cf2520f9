import { Injectable } from '@nestjs/common';

import { type ReceiptFacts, type Section, omittedByChoice, refOf, viewKinds } from '#context-views';
import { type Item, kindsOfMembers, shownVersion } from '#shared-context';
import { type VisibilityFilter, isShown } from '#visibility';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import {
  type EarlierRead,
  AuthorizedContextReader,
  type AuthorizedSnapshot,
} from '../reading/authorized-context-reader.js';
import { type ViewParameters } from '../views/view.messages.js';
import { parseViewParameters } from '../views/view-parameters.js';
import { viewSelection } from '../views/view-request-scope.js';
import { viewedItems } from '../views/view-snapshot.js';
import { parseDocumentParameters } from './document-reproducer.js';
import { type OmittedItems as Found } from './receipt.messages.js';
import { TextReproducer } from './text-reproducer.js';

/** Maximum number of listed items; the newest are listed. */
const maxListed = 500;

type ReadAccess = Readonly<{ filter: VisibilityFilter | undefined }>;
/** The reader, and what of that version it may see. */
type Asking = Readonly<{ there: ReadonlySet<string>; isWhole: boolean; principal: Principal }>;

/** What was there when something was read, and not shown, or not whole. */
@Injectable()
export class OmittedItems {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly audiences: Audiences,
    private readonly again: TextReproducer,
  ) {}

  /** Limited to what the reader sees. */
  async find(
    facts: ReceiptFacts,
    { filter, tag }: AuthorizedSnapshot,
    principal: Principal,
  ): Promise<Found> {
    const there = await this.#shown({ ...facts, principal, filter });
    const access = await this.audiences.accessAtRead(facts);
    const asking = {
      there: new Set(there.map(refOf)),
      // What a view shortened depends on all of its content, also on content that is hidden from the reader.
      isWhole: !filter || tag === facts.policy,
      principal,
    };
    return {
      byAudience: access
        ? await this.#byAudience({ ...facts, principal, filter }, access, there)
        : null,
      byChoice: access ? await this.#byChoice(facts, access, asking) : null,
      byBudget: await this.#byBudget(facts, asking),
    };
  }

  async #byAudience(
    read: EarlierRead,
    access: ReadAccess,
    there: readonly Item[],
  ): Promise<Found['byAudience']> {
    // Whether a step had failed may be hidden from the reader.
    if (read.filter && access.filter?.dependsOnFailures) return null;
    const shown = new Set((await this.#shown({ ...read, ...access })).map(refOf));
    return there
      .filter((item) => !shown.has(refOf(item)))
      .map((item) => ({ ref: refOf(item), version: shownVersion(item.fromVersion) }))
      .toSorted((left, right) => left.version - right.version)
      .slice(-maxListed);
  }

  /** Reads the items of that version of the context that the visibility filter lets through. */
  async #shown(read: EarlierRead): Promise<readonly Item[]> {
    const { filter } = read;
    const items = await this.#items(read, false);
    return items.filter((item) => !filter || isShown(filter, item));
  }

  async #byChoice(
    facts: ReceiptFacts,
    access: ReadAccess,
    asking: Asking,
  ): Promise<Found['byChoice']> {
    if (facts.kind === 'document') return this.#besideParts(facts, access, asking);
    const parameters = facts.kind === 'view' ? parseViewParameters(facts.parameters) : undefined;
    if (!parameters) return null;
    if (!parameters.sections && !parameters.focus) return [];
    return asking.isWhole ? this.#byChoiceOf(parameters, facts, { ...access, ...asking }) : null;
  }

  /** What other parts of a document would have shown. */
  async #besideParts(
    facts: ReceiptFacts,
    { filter }: ReadAccess,
    { there, principal }: Asking,
  ): Promise<Found['byChoice']> {
    const parameters = parseDocumentParameters(facts.parameters);
    if (!parameters?.parts) return parameters ? [] : null;
    const { kinds } = kindsOfMembers(parameters.parts);
    return (await this.#shown({ ...facts, principal, filter }))
      .filter((item) => !kinds.includes(item.kind) && there.has(refOf(item)))
      .map((item) => ({ ref: refOf(item), version: shownVersion(item.fromVersion) }))
      .toSorted((left, right) => left.version - right.version)
      .slice(-maxListed);
  }

  async #byChoiceOf(
    { sections, focus }: ViewParameters,
    facts: ReceiptFacts,
    { filter, there, principal }: ReadAccess & Asking,
  ): Promise<Found['byChoice']> {
    const contents = {
      contextId: facts.contextId,
      items: await this.#items(
        {
          ...facts,
          principal,
          filter,
        },
        true,
      ),
      sections: sections ? new Set<Section>(sections) : undefined,
      isShown: filter && ((item: Item) => isShown(filter, item)),
    };
    return omittedByChoice(contents, focus)
      .filter(({ ref }) => there.has(ref))
      .map(({ ref, version }) => ({ ref, version: shownVersion(version) }))
      .slice(-maxListed);
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
      .slice(-maxListed);
  }

  async #items(read: EarlierRead, bodies: boolean): Promise<readonly Item[]> {
    const selection = bodies ? viewSelection : { kinds: viewKinds, bodies };
    // Events behind the rows are folded, whatever they concern.
    return viewedItems((await this.contexts.readAsThen(read, selection)).state);
  }
}
