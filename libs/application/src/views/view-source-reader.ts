import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import {
  type Section,
  type ViewSource,
  everything,
  partOf,
  reworkNames,
  viewSourceInSteps,
} from '#context-views';
import { type Item } from '#shared-context';
import { runInSlices } from '#slices';

import { ResourceNotFoundError } from '../errors.js';
import { ReachableContext, type ReachableSnapshot } from '../reading/reachable-context.js';
import { DerivedMarks } from '../transformations/derived-marks.js';
import { SnapshotCache } from './snapshot-cache.js';
import { ViewFocus } from './view-focus.js';
import { type ViewSite, viewSelection } from './view-site.js';
import { type ViewSnapshot, shownBy, viewedItems } from './view-snapshot.js';
import { type ViewParameters, type ViewRequest } from './view.messages.js';

/** The sources of a view at its version, and at the one before if that is known. */
export type Sources = readonly [now: ViewSource, before: ViewSource | undefined];

/**
 * `isNew`: this process had nothing cached for it. `snapshot`: set if the sources depend on nothing but that and the sections.
 * `transformationVersions`: as in {@link ViewSite}.
 */
export type LoadedSources = Pick<ReachableSnapshot, 'head' | 'gate' | 'tag'> &
  Readonly<{
    sources: Sources;
    isNew: boolean;
    snapshot?: ViewSnapshot;
    transformationVersions: number | undefined;
  }>;

/** How many choices of sections are cached for a source. */
const mostParts = 4;

/** Reads the sources of views: of the newest version from the cache, of earlier ones from the rows. */
@Injectable()
export class ViewSourceReader {
  readonly #parts = new WeakMap<ViewSource, LRUCache<string, ViewSource>>();

  constructor(
    private readonly contexts: ReachableContext,
    private readonly snapshots: SnapshotCache,
    private readonly focus: ViewFocus,
    private readonly marks: DerivedMarks,
  ) {}

  /** The context is read while the parameters are completed. */
  read(request: ViewRequest, completing: Promise<ViewParameters>): Promise<LoadedSources> {
    return request.asOf === undefined
      ? this.#readNewest(request, completing)
      : this.#readEarlier(request, completing);
  }

  /** The sources of a view that a receipt states, through the gate of then. */
  async readAt(site: ViewSite, parameters: ViewParameters): Promise<Sources> {
    const { id, version, gate, principal } = site;
    const { contextId } = id;
    const { head, state } = await this.contexts.readAsThen(
      { principal, contextId, version, gate },
      viewSelection,
    );
    const items = await this.marks.markAsThen(site, [...state.values()]);
    return this.#find({ ...site, counted: head.activity.counted }, items, parameters);
  }

  async #readNewest(
    request: ViewRequest,
    completing: Promise<ViewParameters>,
  ): Promise<LoadedSources> {
    const { principal } = request;
    const [read, parameters] = await Promise.all([
      this.contexts.readBy(request, (site) => this.snapshots.read(site)),
      completing,
    ]);
    const { head, gate, tag, isNew, snapshot } = read;
    const transformationVersions = snapshot.transformations?.versions;
    const found = { head, gate, tag, isNew, transformationVersions };
    if (parameters.focus) {
      const { version, activity } = head;
      const site = {
        ...{ id: head, version, gate, principal, transformationVersions },
        counted: activity.counted,
      };
      const items = viewedItems(snapshot.state);
      const sources = await this.#find(site, items, parameters, snapshot.now.source);
      return { ...found, sources };
    }
    const { now, before } = snapshot;
    const sources = [
      this.#part(now.source, parameters),
      before ? this.#part(before, parameters) : undefined,
    ] as const;
    return { ...found, sources, snapshot };
  }

  async #readEarlier(
    request: ViewRequest,
    completing: Promise<ViewParameters>,
  ): Promise<LoadedSources> {
    const [read, parameters] = await Promise.all([
      this.contexts.read(request, viewSelection),
      completing,
    ]);
    const { head, gate, tag, state } = read;
    const marked = await this.marks.mark(head.workspace, [...state.values()]);
    const { items, transformationVersions } = marked;
    const { principal, asOf } = request;
    const { version, activity } = head;
    const site = {
      ...{ id: head, version, gate, principal, asOf, transformationVersions },
      counted: activity.counted,
    };
    const sources = await this.#find(site, items, parameters);
    return { head, gate, tag, sources, isNew: true, transformationVersions };
  }

  /** `like`: a source with mostly the same entries. */
  async #find(
    site: ViewSite,
    items: readonly Item[],
    parameters: ViewParameters,
    like?: ViewSource,
  ): Promise<Sources> {
    requireSubject(site, items, parameters);
    const now = await this.#source(site, items, parameters, like);
    const before = await this.snapshots.previous.find(site, items);
    return [now, before && (await this.#source(site, before, parameters, now))];
  }

  /** The requested sections of a source. */
  #part(source: ViewSource, { sections }: ViewParameters): ViewSource {
    if (!sections) return source;
    const parts = this.#parts.get(source) ?? new LRUCache<string, ViewSource>({ max: mostParts });
    this.#parts.set(source, parts);
    const name = sections.join();
    const part = parts.get(name) ?? partOf(source, new Set(sections));
    parts.set(name, part);
    return part;
  }

  async #source(
    { id: { contextId }, gate, principal, asOf, counted }: ViewSite,
    items: readonly Item[],
    { sections, focus }: ViewParameters,
    like?: ViewSource,
  ): Promise<ViewSource> {
    const contents = {
      ...{ contextId, items, counted, isShown: shownBy(gate), like: like?.timeline },
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
