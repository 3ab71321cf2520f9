import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type ViewSource, partOf } from '#context-views';

import {
  type AuthorizedRead,
  AuthorizedContextReader,
  type AuthorizedSnapshot,
} from '../reading/authorized-context-reader.js';
import { DerivedMarks } from '../transformations/derived-marks.js';
import { SnapshotCache } from './snapshot-cache.js';
import { SourcePairs, type Sources } from './source-pairs.js';
import { type ViewRequestScope, viewSelection } from './view-request-scope.js';
import { type ViewSnapshot, viewedItems } from './view-snapshot.js';
import { type ViewParameters, type ViewRequest } from './view.messages.js';

/**
 * `isNew`: this process had nothing cached for the context. `snapshot`: set if the sources depend only on the snapshot
 * and the sections. `transformationVersions`: as in {@link ViewRequestScope}.
 */
export type LoadedSources = Pick<AuthorizedSnapshot, 'head' | 'filter' | 'tag'> &
  Readonly<{
    sources: Sources;
    isNew: boolean;
    snapshot?: ViewSnapshot;
    transformationVersions: number | undefined;
  }>;

/** The number of section selections that are cached per source. */
const maxParts = 4;

/** Reads the sources of views: the newest version from the cache, earlier ones from the rows. */
@Injectable()
export class ViewSourceReader {
  readonly #parts = new WeakMap<ViewSource, LRUCache<string, ViewSource>>();

  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly snapshots: SnapshotCache,
    private readonly pairs: SourcePairs,
    private readonly marks: DerivedMarks,
  ) {}

  /** Reads the context while the parameters are completed. */
  read(request: ViewRequest, completing: Promise<ViewParameters>): Promise<LoadedSources> {
    return request.asOf === undefined
      ? this.#readNewest(request, completing)
      : this.#readEarlier(request, completing);
  }

  /** The sources of a view in a receipt, through the visibility filter of that time. */
  async readAt(site: ViewRequestScope, parameters: ViewParameters): Promise<Sources> {
    const { id, version, filter, principal } = site;
    const { contextId } = id;
    const { head, state } = await this.contexts.readEarlier(
      { principal, contextId, version, filter },
      viewSelection,
    );
    const items = await this.marks.markAsOf(site, [...state.values()]);
    return this.pairs.make({ ...site, counted: head.activity.counted }, items, parameters);
  }

  async #readNewest(
    request: ViewRequest,
    completing: Promise<ViewParameters>,
  ): Promise<LoadedSources> {
    const { principal } = request;
    const [read, parameters] = await Promise.all([
      this.contexts.readBy(request, (site) => this.#newest(site)),
      completing,
    ]);
    const { head, filter, tag, isNew, snapshot } = read;
    const transformationVersions = snapshot.transformations?.versions;
    const found = { head, filter, tag, isNew, transformationVersions };
    if (parameters.focus) {
      const { version, activity } = head;
      const site = {
        id: head,
        version,
        filter,
        principal,
        transformationVersions,
        counted: activity.counted,
      };
      const items = viewedItems(snapshot.state);
      const sources = await this.pairs.make(site, items, parameters, snapshot.now.source);
      return { ...found, sources };
    }
    const { now, before } = snapshot;
    const sources = [
      this.#part(now.source, parameters),
      before ? this.#part(before, parameters) : undefined,
    ] as const;
    return { ...found, sources, snapshot };
  }

  async #newest(site: AuthorizedRead) {
    const found = await this.snapshots.read(site);
    return found && { ...found, head: found.snapshot.head };
  }

  async #readEarlier(
    request: ViewRequest,
    completing: Promise<ViewParameters>,
  ): Promise<LoadedSources> {
    const [read, parameters] = await Promise.all([
      this.contexts.read(request, viewSelection),
      completing,
    ]);
    const { head, filter, tag, state } = read;
    const marked = await this.marks.mark(head.workspace, [...state.values()]);
    const { items, transformationVersions } = marked;
    const { principal, asOf } = request;
    const { version, activity } = head;
    const site = {
      id: head,
      version,
      filter,
      principal,
      asOf,
      transformationVersions,
      counted: activity.counted,
    };
    const sources = await this.pairs.make(site, items, parameters);
    return { head, filter, tag, sources, isNew: true, transformationVersions };
  }

  /** The requested sections of a source. */
  #part(source: ViewSource, { sections }: ViewParameters): ViewSource {
    if (!sections) return source;
    const parts = this.#parts.get(source) ?? new LRUCache<string, ViewSource>({ max: maxParts });
    this.#parts.set(source, parts);
    const name = sections.join();
    const part = parts.get(name) ?? partOf(source, new Set(sections));
    parts.set(name, part);
    return part;
  }
}
