import { Injectable } from '@nestjs/common';

import {
  LruCache,
  LiveSource,
  type Section,
  type ViewSource,
  everything,
  partOf,
  reworkNames,
  viewKinds,
  viewSourceInSteps,
} from '#context-views';
import { ContextNotFoundError, ContextState, type Item, activityOf } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { reaches } from '../access/reach.js';
import { Audiences } from '../audiences/audiences.js';
import { ResourceNotFoundError } from '../errors.js';
import { type ReachableSnapshot, readable } from '../reading/reachable-context.js';
import { type KeptContext, type KeptFor, contentsOf, shownBy } from './kept-context.js';
import { KeptContexts } from './kept-contexts.js';
import { type EarlierItems, PreviousVersion } from './previous-version.js';
import { type ViewSite } from './view-site.js';
import { ViewFocus } from './view-focus.js';
import { type ViewParameters, type ViewRequest } from './view.messages.js';

/** What a view is made of, at its version and at the one before. */
export type Sources = readonly [now: ViewSource, before: ViewSource | undefined];

/** `isNew`: this process had nothing cached for it. `transformationVersions`: as in {@link ViewSite}. */
export type LoadedSources = Readonly<{
  snapshot: ReachableSnapshot;
  sources: Sources;
  isNew: boolean;
  transformationVersions: number | undefined;
}>;

/** Of a source, so many choices of sections are remembered. */
const mostParts = 4;

/** What views are made of. */
@Injectable()
export class ViewSources {
  readonly #parts = new WeakMap<ViewSource, LruCache<ViewSource>>();

  constructor(
    private readonly previous: PreviousVersion,
    private readonly focus: ViewFocus,
    private readonly kept: KeptContexts,
    private readonly audiences: Audiences,
  ) {}

  /** Of a version and of the one before, where there was one. */
  async find(
    site: ViewSite,
    items: readonly Item[],
    parameters: ViewParameters,
    like?: ViewSource,
  ): Promise<Sources> {
    requireSubject(site, items, parameters);
    const now = await this.#source(site, items, parameters, like);
    const before = await this.previous.find(site, items);
    return [now, before && (await this.#source(site, before, parameters, like ?? now))];
  }

  /** Of the newest version, of what is kept of it; undefined for whom the audience is refused. */
  async findNewest(
    { principal, contextId, audience, signal }: ViewRequest,
    parameters: ViewParameters,
  ): Promise<LoadedSources | undefined> {
    const sight = await this.audiences.open(principal, audience);
    if ('refusal' in sight) return undefined;
    const wanted = { id: { workspace: principal.workspace, contextId }, ...sight };
    const kept = await readable(() => this.kept.read(wanted, signal ? { signal } : {}));
    if (!kept || !reaches(principal, kept.context.head)) throw new ContextNotFoundError();
    const { head, state, now } = kept.context;
    const snapshot = { head, state, ...sight };
    const { isNew } = kept;
    const transformationVersions = kept.context.transformations?.versions;
    const { gate } = sight;
    const { counted } = head.activity;
    const site = {
      ...{ id: wanted.id, version: head.version, gate, principal, transformationVersions, counted },
    };
    if (parameters.focus) {
      const sources = await this.find(site, itemsOf(state), parameters, now.source);
      return { snapshot, sources, isNew, transformationVersions };
    }
    const before = await this.#before(site, wanted, kept.context);
    const sources = [now.source, before].map((source) => source && this.#part(source, parameters));
    return {
      snapshot,
      sources: [sources[0] ?? now.source, sources[1]],
      isNew,
      transformationVersions,
    };
  }

  async #before(
    site: ViewSite,
    wanted: KeptFor,
    context: KeptContext,
  ): Promise<ViewSource | undefined> {
    if (context.before !== undefined) return context.before ?? undefined;
    const earlier = await this.previous.findChanged(site, itemsOf(context.state));
    const before = earlier && (await runInSlices(sourceBefore(context, earlier, wanted))).source;
    this.kept.keep(wanted, { ...context, before: before ?? null });
    return before;
  }

  /** What was asked for of it. */
  #part(source: ViewSource, { sections }: ViewParameters): ViewSource {
    if (!sections) return source;
    const known = this.#parts.get(source) ?? new LruCache<ViewSource>(mostParts);
    this.#parts.set(source, known);
    const asked = new Set(sections);
    return known.find([...asked].sort().join(), () => partOf(source, asked));
  }

  async #source(
    { id: { contextId }, gate, principal, asOf, counted }: ViewSite,
    items: readonly Item[],
    { sections, focus }: ViewParameters,
    like?: ViewSource,
  ): Promise<ViewSource> {
    const contents = {
      ...{ contextId, items, counted, isShown: shownBy(gate), like },
      sections: sections ? new Set<Section>(sections) : undefined,
    };
    if (!focus) return runInSlices(viewSourceInSteps(contents));
    const audience = gate?.reader.audience ?? everything;
    const site = { principal, contextId, audience, asOf, sight: { gate } };
    return this.focus.source(site, contents, focus);
  }
}

/** Throws unless an item that the reader sees has the subject of a rework view as its name. */
function requireSubject(
  { gate }: ViewSite,
  items: readonly Item[],
  { focus }: ViewParameters,
): void {
  if (focus?.on !== 'rework') return;
  const isShownTo = shownBy(gate);
  if (reworkNames(isShownTo ? items.filter(isShownTo) : items, focus.subject)) return;
  const { subject } = focus;
  throw new ResourceNotFoundError(
    `this key can read no artifact, step, task or loop called "${subject}": name an artifact or its path, a step, a task, or what is iterated`,
  );
}

function itemsOf(state: ContextState): readonly Item[] {
  return [...state.values()].filter(({ kind }) => viewKinds.includes(kind));
}

/** The source of an earlier version; it shares unchanged entries with the present one. */
function* sourceBefore(
  context: KeptContext,
  earlier: EarlierItems,
  { gate }: KeptFor,
): Steps<LiveSource> {
  const { head, now } = context;
  const isWhole = 'all' in earlier;
  if (!isWhole && earlier.changedKeys.length === 0) return now;
  const state = isWhole
    ? ContextState.from(earlier.all)
    : context.state.before(earlier.changedKeys, earlier.changedItems);
  const contents = contentsOf(
    { head, state, activity: activityOf(itemsOf(state), head.activity.counted) },
    gate,
  );
  return yield* isWhole
    ? LiveSource.inSteps(contents, now)
    : now.nextInSteps(earlier.changedKeys, { ...contents, before: context.state });
}
