import { Injectable } from '@nestjs/common';

import {
  type Gate,
  type Section,
  type ViewSource,
  everything,
  isShown,
  viewSource,
} from '#context-views';
import { type ContextId } from '#read-models';
import { type Item } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { PreviousVersion } from './previous-version.js';
import { ViewFocus } from './view-focus.js';
import { type ViewParameters } from './view.messages.js';

/** A context at a version, as a gate shows it to a principal: undefined for everything. */
export type ViewSite = Readonly<{
  id: ContextId;
  version: number;
  gate: Gate | undefined;
  principal: Principal;
}>;

/** What views are made of. */
@Injectable()
export class ViewSources {
  constructor(
    private readonly previous: PreviousVersion,
    private readonly focus: ViewFocus,
  ) {}

  /** Of a version and of the one before, where there was one. */
  async find(
    site: ViewSite,
    items: readonly Item[],
    parameters: ViewParameters,
  ): Promise<readonly [ViewSource, ViewSource | undefined]> {
    const before = await this.previous.find(site, items);
    return [
      await this.#source(site, items, parameters),
      before && (await this.#source(site, before, parameters)),
    ];
  }

  async #source(
    { id: { contextId }, gate, principal }: ViewSite,
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
    return this.focus.source({ principal, contextId, audience }, contents, focus);
  }
}
