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

import { ContextHierarchy } from '../families/context-hierarchy.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { ChildEntries, type FocusScope } from './child-entries.js';
import { type Focus, type ViewParameters } from './view.messages.js';

type CompletedFocus = NonNullable<ViewParameters['focus']>;

/** Selects the sources of views with a focus: for a handover, for rework or for a retrospective. */
@Injectable()
export class ViewFocus {
  readonly #children: ChildEntries;
  /** Entries of children by the focus of a request, so that the view and the one at the previous version share them. */
  readonly #childEntries = new WeakMap<CompletedFocus, Promise<readonly Entry[]>>();

  constructor(contexts: AuthorizedContextReader, families: ContextHierarchy) {
    this.#children = new ChildEntries(contexts, families);
  }

  /** Adds to a focus everything on which the bytes of the view depend, except the version of the context. */
  async complete(
    site: FocusScope,
    focus: Focus,
    sections: ViewParameters['sections'],
  ): Promise<CompletedFocus> {
    if (focus.on !== 'retrospective') return focus;
    const areShown = sections === null || sections.includes(childSection);
    return { ...focus, children: areShown ? await this.#children.choose(site) : [] };
  }

  async source(site: FocusScope, contents: Contents, focus: CompletedFocus): Promise<ViewSource> {
    switch (focus.on) {
      case 'handover':
        return handoverSource(contents, focus);
      case 'rework':
        return reworkSource(contents, focus.subject);
      case 'retrospective':
        return retrospectiveSource(contents, await this.#entries(site, contents, focus));
    }
  }

  /** The entry of one child; undefined if the context has no such child, or if the reader's key does not reach it. */
  child(site: FocusScope, contextId: string): Promise<Entry | undefined> {
    return this.#children.one(site, contextId);
  }

  #entries(
    site: FocusScope,
    { sections }: Contents,
    focus: Extract<CompletedFocus, Readonly<{ on: 'retrospective' }>>,
  ): Promise<readonly Entry[]> {
    if (sections && !sections.has(childSection)) return Promise.resolve([]);
    const entries = this.#childEntries.get(focus) ?? this.#children.entries(site, focus.children);
    this.#childEntries.set(focus, entries);
    return entries;
  }
}
