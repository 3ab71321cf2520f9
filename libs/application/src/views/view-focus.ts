import { Injectable } from '@nestjs/common';

import {
  type Contents,
  type Entry,
  type ViewSource,
  childRef,
  entryOf,
  handoverSource,
  retrospectiveSource,
  reworkSource,
  viewKinds,
} from '#context-views';
import { type JsonObject } from '#event-sourcing';
import { endedDecisions } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { Families } from '../families/families.js';
import { ReachableContext } from '../reading/reachable-context.js';
import { type Focus } from './view.messages.js';

export type FocusSite = Readonly<{
  principal: Principal;
  contextId: string;
  audience?: string | undefined;
  /** Where the past is asked for: children are told of as they were then, too. */
  asOf?: string | undefined;
}>;

/** Views for one purpose. */
@Injectable()
export class ViewFocus {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly families: Families,
  ) {}

  async source(site: FocusSite, contents: Contents, focus: Focus): Promise<ViewSource> {
    switch (focus.on) {
      case 'handover':
        return handoverSource(contents, focus);
      case 'rework':
        return reworkSource(contents, focus.subject);
      case 'retrospective':
        return retrospectiveSource(contents, await this.#children(site, contents));
    }
  }

  /** As far as the reader's key reaches them. */
  async #children(site: FocusSite, { sections }: Contents): Promise<readonly Entry[]> {
    if (sections && !sections.has(childSection)) return [];
    const parent = await this.contexts.read(site, { keys: [], bodies: false });
    const { children } = await this.families.of(parent, site);
    const asOf = site.asOf === undefined ? undefined : parent.head.modifiedAt;
    const entries: Entry[] = [];
    for (const child of children) entries.push(await this.#child({ ...site, asOf }, child));
    return entries;
  }

  /** One child of a context as one entry; undefined where it is none that the reader's key reaches. */
  async child(site: FocusSite, contextId: string): Promise<Entry | undefined> {
    const parent = await this.contexts.read(site, { keys: [], bodies: false });
    const { children } = await this.families.of(parent, site);
    const child = children.find((one) => one['contextId'] === contextId);
    const asOf = site.asOf === undefined ? undefined : parent.head.modifiedAt;
    return child && this.#child({ ...site, asOf }, child);
  }

  async #child(
    { principal, audience, asOf }: Omit<FocusSite, 'contextId'>,
    child: JsonObject,
  ): Promise<Entry> {
    const contextId = String(child['contextId']);
    const { state } = await this.contexts.read(
      { principal, contextId, audience, asOf },
      { kinds: toldOfChildren },
    );
    const items = [...state.values()].filter(({ kind }) => toldOfChildren.includes(kind));
    const decisions = { current: state.lookup, ended: endedDecisions(items) };
    const told = items
      .filter(({ kind, state: facts }) => kind !== 'decision' || facts['status'] === 'live')
      .map((item) => entryOf(item, childSection, decisions));
    const members = Object.fromEntries(told.map(({ ref, value }) => [ref, value]));
    return {
      ...{ ref: childRef(contextId), kind: 'creation', key: contextId, section: childSection },
      ...{ version: 0, author: null, pinned: false, isPast: false },
      standing: standingOf(child),
      members,
      value: members,
    };
  }
}

const childSection = 'records';

/** What has become of a child is known of it now only. */
function standingOf({ title, outcome }: JsonObject): readonly string[] {
  const name = typeof title === 'string' ? [`title ${JSON.stringify(title)}`] : [];
  return typeof outcome === 'string' ? [...name, `outcome ${outcome}`] : name;
}

const toldOfChildren = viewKinds.filter((kind) =>
  ['decision', 'step-failure', 'review', 'record'].includes(kind),
);
