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
import { type OmissionReport } from './receipt.messages.js';
import { TextReproducer } from './text-reproducer.js';

/** Maximum number of listed items; the newest are listed. */
const maxListed = 500;

type ReadAccess = Readonly<{ filter: VisibilityFilter | undefined }>;
/** The reader, and the items of that version that it may see. */
type ReaderScope = Readonly<{
  visibleRefs: ReadonlySet<string>;
  isWhole: boolean;
  principal: Principal;
}>;

/** Finds the items that existed at the time of a read, but that the read omitted or shortened. */
@Injectable()
export class OmittedItems {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly audiences: Audiences,
    private readonly reproducer: TextReproducer,
  ) {}

  /** Returns only items that the reader may see. */
  async find(
    facts: ReceiptFacts,
    { filter, tag }: AuthorizedSnapshot,
    principal: Principal,
  ): Promise<OmissionReport> {
    const visible = await this.#shown({ ...facts, principal, filter });
    const access = await this.audiences.accessAtRead(facts);
    const scope = {
      visibleRefs: new Set(visible.map(refOf)),
      // Which items a view shortens depends on all its content, including content that is hidden from the reader.
      isWhole: !filter || tag === facts.policy,
      principal,
    };
    return {
      byAudience: access
        ? await this.#byAudience({ ...facts, principal, filter }, access, visible)
        : null,
      byChoice: access ? await this.#byChoice(facts, access, scope) : null,
      byBudget: await this.#byBudget(facts, scope),
    };
  }

  async #byAudience(
    read: EarlierRead,
    access: ReadAccess,
    visible: readonly Item[],
  ): Promise<OmissionReport['byAudience']> {
    // Whether a step had failed may be hidden from the reader.
    if (read.filter && access.filter?.dependsOnFailures) return null;
    const shown = new Set((await this.#shown({ ...read, ...access })).map(refOf));
    return visible
      .filter((item) => !shown.has(refOf(item)))
      .map((item) => ({ ref: refOf(item), version: shownVersion(item.fromVersion) }))
      .toSorted((left, right) => left.version - right.version)
      .slice(-maxListed);
  }

  /** Reads the items at that version that pass the visibility filter. */
  async #shown(read: EarlierRead): Promise<readonly Item[]> {
    const { filter } = read;
    const items = await this.#items(read, false);
    return items.filter((item) => !filter || isShown(filter, item));
  }

  async #byChoice(
    facts: ReceiptFacts,
    access: ReadAccess,
    scope: ReaderScope,
  ): Promise<OmissionReport['byChoice']> {
    if (facts.kind === 'document') return this.#besideParts(facts, access, scope);
    const parameters = facts.kind === 'view' ? parseViewParameters(facts.parameters) : undefined;
    if (!parameters) return null;
    if (!parameters.sections && !parameters.focus) return [];
    return scope.isWhole ? this.#byChoiceOf(parameters, facts, { ...access, ...scope }) : null;
  }

  /** Items of other members of the document than the requested ones. */
  async #besideParts(
    facts: ReceiptFacts,
    { filter }: ReadAccess,
    { visibleRefs, principal }: ReaderScope,
  ): Promise<OmissionReport['byChoice']> {
    const parameters = parseDocumentParameters(facts.parameters);
    if (!parameters?.parts) return parameters ? [] : null;
    const { kinds } = kindsOfMembers(parameters.parts);
    return (await this.#shown({ ...facts, principal, filter }))
      .filter((item) => !kinds.includes(item.kind) && visibleRefs.has(refOf(item)))
      .map((item) => ({ ref: refOf(item), version: shownVersion(item.fromVersion) }))
      .toSorted((left, right) => left.version - right.version)
      .slice(-maxListed);
  }

  async #byChoiceOf(
    { sections, focus }: ViewParameters,
    facts: ReceiptFacts,
    { filter, visibleRefs, principal }: ReadAccess & ReaderScope,
  ): Promise<OmissionReport['byChoice']> {
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
      .filter(({ ref }) => visibleRefs.has(ref))
      .map(({ ref, version }) => ({ ref, version: shownVersion(version) }))
      .slice(-maxListed);
  }

  async #byBudget(
    facts: ReceiptFacts,
    { visibleRefs, isWhole, principal }: ReaderScope,
  ): Promise<OmissionReport['byBudget']> {
    if (facts.kind === 'document') return [];
    const view = isWhole ? await this.reproducer.findView(facts, principal) : undefined;
    if (!view) return null;
    return view.items
      .filter(({ ref, form }) => form !== 'whole' && (form === 'rollup' || visibleRefs.has(ref)))
      .slice(-maxListed);
  }

  async #items(read: EarlierRead, bodies: boolean): Promise<readonly Item[]> {
    const selection = bodies ? viewSelection : { kinds: viewKinds, bodies };
    // Folding events that the rows lack may add other items.
    return viewedItems((await this.contexts.readEarlier(read, selection)).state);
  }
}
