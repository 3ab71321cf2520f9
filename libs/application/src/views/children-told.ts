import { type Entry, type Gate, childEntry, childEntryKinds } from '#context-views';
import { type ContextHead } from '#read-models';
import { ContextNotFoundError } from '#shared-context';

import { reaches } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import { type Families } from '../families/families.js';
import { isVersion } from '../reading/as-of.js';
import { type ReachableContext, type ReachableSnapshot } from '../reading/reachable-context.js';
import { shownBy } from './kept-context.js';
import { type ChildrenSeen } from './view.messages.js';

export type FocusSite = Readonly<{
  principal: Principal;
  contextId: string;
  audience?: string | undefined;
  /** Where the past is asked for: children are told of as they were then, too. */
  asOf?: string | undefined;
  /** Through which what was chosen is seen: it may be another one than what the principal is shown now. */
  sight?: Readonly<{ gate: Gate | undefined }> | undefined;
}>;

/** In JSON, as much as receipts have room for beside everything else. */
const mostCharacters = 600;
const headAlone = { keys: [], bodies: false } as const;
const whole = { kinds: childEntryKinds };

/** The children of contexts, each as one entry. */
export class ChildrenTold {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly families: Families,
  ) {}

  /** Those that the reader's key reaches, said so that the same can be told of them again whatever becomes of them. */
  async choose(site: FocusSite): Promise<ChildrenSeen> {
    const { ids, parent, asOf } = await this.#list(site);
    const heads: ContextHead[] = [];
    for (const contextId of ids)
      heads.push((await this.contexts.read({ ...site, contextId, asOf }, headAlone)).head);
    const versions = heads.map(({ contextId, version }) => [contextId, version] as const);
    return JSON.stringify(versions).length <= mostCharacters
      ? versions
      : (asOf ?? newest([parent, ...heads]));
  }

  /** Those that were chosen; null where that is not known any more: as they are now. */
  async entries(site: FocusSite, seen: ChildrenSeen | null): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    if (seen === null || typeof seen === 'string') {
      const { ids, asOf } = await this.#list(seen === null ? site : { ...site, asOf: seen });
      for (const contextId of ids) entries.push(await this.#entry({ ...site, contextId, asOf }));
    } else {
      for (const [contextId, version] of seen)
        entries.push(await this.#entryAt({ ...site, contextId }, version));
    }
    return entries;
  }

  /** One child of a context; undefined where it is none that the reader's key reaches. */
  async one(site: FocusSite, contextId: string): Promise<Entry | undefined> {
    const { ids, asOf } = await this.#list(site);
    return ids.includes(contextId) ? this.#entry({ ...site, contextId, asOf }) : undefined;
  }

  async #list(site: FocusSite) {
    const parent = await this.contexts.read(site, headAlone);
    const { children } = await this.families.of(parent, site);
    const { head } = parent;
    return {
      ids: children.map(({ contextId }) => String(contextId)),
      parent: head,
      // Versions are the parent's own.
      asOf: site.asOf !== undefined && isVersion(site.asOf) ? head.modifiedAt : site.asOf,
    };
  }

  async #entry({ principal, contextId, audience, asOf }: FocusSite): Promise<Entry> {
    const wanted = { principal, contextId, audience, asOf };
    return childEntryOf(await this.contexts.read(wanted, whole));
  }

  async #entryAt(site: FocusSite, version: number): Promise<Entry> {
    const { principal, contextId, sight } = site;
    if (!sight) return this.#entry({ ...site, asOf: String(version) });
    const id = { workspace: principal.workspace, contextId };
    const { head, state } = await this.contexts.gated.read({ id, version, ...sight }, whole);
    if (!head || !reaches(principal, head)) throw new ContextNotFoundError();
    return childEntryOf({ head, state, gate: sight.gate });
  }
}

function childEntryOf({
  head: { contextId, activity },
  state,
  gate,
}: Pick<ReachableSnapshot, 'head' | 'state' | 'gate'>): Entry {
  return childEntry(contextId, state, { isShown: shownBy(gate), counted: activity.counted });
}

function newest(heads: readonly ContextHead[]): string {
  return heads
    .map(({ modifiedAt }) => modifiedAt)
    .reduce((left, right) => (left < right ? right : left));
}
