import { type Entry, childEntry, childEntryKinds } from '#context-views';
import { type ContextHead } from '#shared-context';
import { type VisibilityFilter } from '#visibility';

import { type Principal } from '../access/principal.js';
import { type ContextHierarchy } from '../families/context-hierarchy.js';
import { isVersion } from '../reading/as-of.js';
import {
  type AuthorizedContextReader,
  type AuthorizedSnapshot,
} from '../reading/authorized-context-reader.js';
import { shownBy } from './view-snapshot.js';
import { type ChildVersions } from './view.messages.js';

export type FocusScope = Readonly<{
  principal: Principal;
  contextId: string;
  audience?: string | undefined;
  /** The version or time of the read; children are read at that time as well. */
  asOf?: string | undefined;
  /**
   * The visibility filter of an earlier read whose children are rendered again; it may differ from the current one of
   * the principal.
   */
  access?: Readonly<{ filter: VisibilityFilter | undefined }> | undefined;
}>;

/** Maximum length of the list as JSON, so that it fits into a receipt. */
const maxCharacters = 600;
const headOnly = { keys: [], bodies: false } as const;
const entrySelection = { kinds: childEntryKinds };

/** Renders each child of a context as one entry of the parent's view. */
export class ChildEntries {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly families: ContextHierarchy,
  ) {}

  /**
   * Returns the children that the key of the reader reaches with their versions, so that the same entries can be
   * rendered again after changes.
   */
  async choose(site: FocusScope): Promise<ChildVersions> {
    const { ids, parent, asOf } = await this.#list(site);
    const heads: ContextHead[] = [];
    for (const contextId of ids)
      heads.push((await this.contexts.read({ ...site, contextId, asOf }, headOnly)).head);
    const versions = heads.map(({ contextId, version }) => [contextId, version] as const);
    return JSON.stringify(versions).length <= maxCharacters
      ? versions
      : (asOf ?? newest([parent, ...heads]));
  }

  /**
   * The entries of children that {@link choose} returned; of the current children if `chosen` is null, because the choice
   * is unknown.
   */
  async entries(site: FocusScope, chosen: ChildVersions | null): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    if (chosen === null || typeof chosen === 'string') {
      const { ids, asOf } = await this.#list(chosen === null ? site : { ...site, asOf: chosen });
      for (const contextId of ids) entries.push(await this.#entry({ ...site, contextId, asOf }));
    } else {
      for (const [contextId, version] of chosen)
        entries.push(await this.#entryAt({ ...site, contextId }, version));
    }
    return entries;
  }

  /** The entry of one child; undefined if the context has no such child, or if the reader's key does not reach it. */
  async one(site: FocusScope, contextId: string): Promise<Entry | undefined> {
    const { ids, asOf } = await this.#list(site);
    return ids.includes(contextId) ? this.#entry({ ...site, contextId, asOf }) : undefined;
  }

  async #list(site: FocusScope) {
    const parent = await this.contexts.read(site, headOnly);
    const { children } = await this.families.of(parent, site);
    const { head } = parent;
    return {
      ids: children.map(({ contextId }) => String(contextId)),
      parent: head,
      // A version belongs to the parent, so children are read at the time of that version.
      asOf: site.asOf !== undefined && isVersion(site.asOf) ? head.modifiedAt : site.asOf,
    };
  }

  async #entry({ principal, contextId, audience, asOf }: FocusScope): Promise<Entry> {
    const request = { principal, contextId, audience, asOf };
    return childEntryOf(await this.contexts.read(request, entrySelection));
  }

  async #entryAt(site: FocusScope, version: number): Promise<Entry> {
    const { principal, contextId, access } = site;
    if (!access) return this.#entry({ ...site, asOf: String(version) });
    const earlier = { principal, contextId, version, filter: access.filter };
    return childEntryOf(await this.contexts.readEarlier(earlier, entrySelection));
  }
}

function childEntryOf({
  head: { contextId, activity },
  state,
  filter,
}: Pick<AuthorizedSnapshot, 'head' | 'state' | 'filter'>): Entry {
  return childEntry(contextId, state, { isShown: shownBy(filter), counted: activity.counted });
}

function newest(heads: readonly ContextHead[]): string {
  return heads
    .map(({ modifiedAt }) => modifiedAt)
    .reduce((left, right) => (left < right ? right : left));
}
