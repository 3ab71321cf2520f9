import { Injectable } from '@nestjs/common';

import {
  type Contents,
  type Entry,
  type ViewSource,
  childSection,
  handoverSource,
  retrospectiveSource,
  reworkSource,
} from '#context-views';

import { Families } from '../families/families.js';
import { ReachableContext } from '../reading/reachable-context.js';
import { ChildrenTold, type FocusSite } from './children-told.js';
import { type Focus, type ViewParameters } from './view.messages.js';

type Settled = NonNullable<ViewParameters['focus']>;

/** Views for one purpose. */
@Injectable()
export class ViewFocus {
  readonly #children: ChildrenTold;
  /** By the focus of a request, which is of one reader: what is told of a version and of the one before. */
  readonly #told = new WeakMap<Settled, Promise<readonly Entry[]>>();

  constructor(contexts: ReachableContext, families: Families) {
    this.#children = new ChildrenTold(contexts, families);
  }

  /** With everything in it that the same bytes depend on, beside the context at its version. */
  async settle(
    site: FocusSite,
    focus: Focus,
    sections: ViewParameters['sections'],
  ): Promise<Settled> {
    if (focus.on !== 'retrospective') return focus;
    const areTold = sections === null || sections.includes(childSection);
    return { ...focus, children: areTold ? await this.#children.choose(site) : [] };
  }

  async source(site: FocusSite, contents: Contents, focus: Settled): Promise<ViewSource> {
    switch (focus.on) {
      case 'handover':
        return handoverSource(contents, focus);
      case 'rework':
        return reworkSource(contents, focus.subject);
      case 'retrospective':
        return retrospectiveSource(contents, await this.#entries(site, contents, focus));
    }
  }

  /** One child of a context as one entry; undefined where it is none that the reader's key reaches. */
  child(site: FocusSite, contextId: string): Promise<Entry | undefined> {
    return this.#children.one(site, contextId);
  }

  #entries(
    site: FocusSite,
    { sections }: Contents,
    focus: Extract<Settled, Readonly<{ on: 'retrospective' }>>,
  ): Promise<readonly Entry[]> {
    if (sections && !sections.has(childSection)) return Promise.resolve([]);
    const entries = this.#told.get(focus) ?? this.#children.entries(site, focus.children);
    this.#told.set(focus, entries);
    return entries;
  }
}
