import { Injectable } from '@nestjs/common';

import {
  type Section,
  type ViewSource,
  everything,
  isShown,
  viewKinds,
  viewSource,
} from '#context-views';
import { ContextNotFoundError, type ContextState, type Item } from '#shared-context';

import { reaches } from '../access/authorize.js';
import { Audiences } from '../audiences/audiences.js';
import { readable } from '../reading/reachable-context.js';
import { PreviousVersion } from './previous-version.js';
import { type ViewSite } from './view-site.js';
import { ViewFocus } from './view-focus.js';
import { type ViewParameters, type ViewRequest } from './view.messages.js';
import { WholeContexts } from './whole-contexts.js';

/** What a view is made of, at its version and at the one before. */
export type Sources = readonly [now: ViewSource, before: ViewSource | undefined];

/** What views are made of. */
@Injectable()
export class ViewSources {
  constructor(
    private readonly previous: PreviousVersion,
    private readonly focus: ViewFocus,
    private readonly whole: WholeContexts,
    private readonly audiences: Audiences,
  ) {}

  /** Of a version and of the one before, where there was one. */
  async find(site: ViewSite, items: readonly Item[], parameters: ViewParameters): Promise<Sources> {
    const before = await this.previous.find(site, items);
    return [
      await this.#source(site, items, parameters),
      before && (await this.#source(site, before, parameters)),
    ];
  }

  /** Of the newest version for who sees everything; undefined for others. */
  async findWhole({ principal, contextId, audience, signal }: ViewRequest) {
    const sight = await this.audiences.open(principal, audience);
    if ('refusal' in sight || sight.gate) return undefined;
    const id = { workspace: principal.workspace, contextId };
    const whole = await readable(() => this.whole.read(id, signal ? { signal } : {}));
    if (!whole || !reaches(principal, whole.head)) throw new ContextNotFoundError();
    const { head, state, now } = whole;
    const site = { id, version: head.version, gate: undefined, principal };
    const before = whole.before ?? (await this.#before(site, state));
    if (before && !whole.before) this.whole.keep(id, { ...whole, before });
    const sources: Sources = [now.source, before];
    return { snapshot: { head, state, gate: undefined, tag: null }, sources };
  }

  async #before(site: ViewSite, state: ContextState): Promise<ViewSource | undefined> {
    const items = [...state.values()].filter(({ kind }) => viewKinds.includes(kind));
    const before = await this.previous.find(site, items);
    return before && viewSource({ contextId: site.id.contextId, items: before });
  }

  async #source(
    { id: { contextId }, gate, principal, asOf }: ViewSite,
    items: readonly Item[],
    { sections, focus }: ViewParameters,
  ): Promise<ViewSource> {
    const contents = {
      ...{ contextId, items },
      sections: sections ? new Set<Section>(sections) : undefined,
      isShown: gate ? (item: Item) => isShown(gate, item) : undefined,
    };
    if (!focus) return viewSource(contents);
    const audience = gate?.reader.audience ?? everything;
    return this.focus.source({ principal, contextId, audience, asOf }, contents, focus);
  }
}
