import { Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';

import { type View, renderView } from '#context-views';
import { type ContextId } from '#shared-context';
import { everything } from '#visibility';

import { readingAs } from '../access/claimed-agents.js';
import { ViewTallyStore } from '../view-tallies/view-tally-store.js';
import { openedTokenizer } from '../token-counting/opened-tokenizer.js';
import { responseMetadata } from '../reading/authorized-context-reader.js';
import { Receipts, hashOfText } from '../receipts/receipts.js';
import { SummaryNote } from './summary-note.js';
import { ViewDefaults } from './view-defaults.js';
import { type ViewRequestScope } from './view-request-scope.js';
import { type ViewSnapshot } from './view-snapshot.js';
import { type LoadedSources, ViewSourceReader } from './view-source-reader.js';
import {
  BudgetTooSmallError,
  type NotedView,
  type RenderedView,
  type ViewParameters,
  type ViewRequest,
} from './view.messages.js';

/** `hash`: the hash of the text for receipts. */
type HashedView = View & Readonly<{ hash: string }>;

/** The number of views that are cached per snapshot, each with different parameters. */
const maxViews = 4;

/** Throws {@link BudgetTooSmallError} if the budget is too small and `overflow` is `refuse`. */
export class FindViewQuery extends Query<NotedView> {
  constructor(readonly request: ViewRequest) {
    super();
  }
}

/** Renders the views of contexts, which agents put into their prompts. */
@Injectable()
export class Views {
  readonly #rendered = new WeakMap<ViewSnapshot, LRUCache<string, Promise<HashedView>>>();

  constructor(
    private readonly defaults: ViewDefaults,
    private readonly reader: ViewSourceReader,
    private readonly tallies: ViewTallyStore,
    private readonly receipts: Receipts,
  ) {}

  /** Throws {@link BudgetTooSmallError}, and the errors of `AuthorizedContextReader`. */
  async render(request: ViewRequest): Promise<RenderedView> {
    const { principal } = request;
    const completing = this.defaults.fill(request);
    const loading = this.reader.read(request, completing);
    const [parameters, loaded] = await Promise.all([completing, loading]);
    const { hash, ...view } = await this.#render(loaded, parameters);
    const { head, filter, tag, transformationVersions } = loaded;
    const marks = transformationVersions === undefined ? {} : { transformationVersions };
    const receipt = this.receipts.issue(
      { principal, head, filter, tag },
      { kind: 'view', parameters: { ...parameters, ...marks }, hash },
    );
    const audience = filter?.reader.audience ?? everything;
    return { ...responseMetadata(loaded), ...view, audience, parameters, receipt };
  }

  /** Renders the bytes of an earlier view again. */
  async renderAt(site: ViewRequestScope, parameters: ViewParameters): Promise<View> {
    const sources = await this.reader.readAt(site, parameters);
    return this.#compose(site.id, { sources, isNew: true }, parameters);
  }

  /** Concurrent readers of a snapshot share one rendering. */
  async #render(loaded: LoadedSources, parameters: ViewParameters): Promise<HashedView> {
    const { head, snapshot } = loaded;
    if (!snapshot) return this.#hashed(head, loaded, parameters);
    const views = this.#rendered.get(snapshot) ?? new LRUCache({ max: maxViews });
    this.#rendered.set(snapshot, views);
    const name = JSON.stringify(parameters);
    const rendering = views.get(name) ?? this.#hashed(head, loaded, parameters);
    views.set(name, rendering);
    try {
      return await rendering;
    } catch (error) {
      if (views.peek(name) === rendering) views.delete(name);
      throw error;
    }
  }

  async #hashed(
    id: ContextId,
    loaded: LoadedSources,
    parameters: ViewParameters,
  ): Promise<HashedView> {
    const view = await this.#compose(id, loaded, parameters);
    return { ...view, hash: hashOfText(view.text) };
  }

  async #compose(
    id: ContextId,
    { sources: [now, earlier], isNew }: Pick<LoadedSources, 'sources' | 'isNew'>,
    parameters: ViewParameters,
  ): Promise<View> {
    const { maxTokens, wholeOutputs: newest, overflow } = parameters;
    const tokenizer = await openedTokenizer(parameters.tokenizer);
    const budget = { maxTokens, newest, overflow, tokenizer };
    if (isNew) await this.tallies.load(id, now.timeline, budget);
    const all = earlier ? [now, earlier] : [now];
    await this.tallies.prepare(all, budget);
    await this.tallies.count(id, all, budget);
    const view = renderView(now, earlier, budget);
    this.tallies.store(
      id,
      all.map(({ timeline }) => timeline),
    );
    if ('minimumTokens' in view) throw new BudgetTooSmallError(view.minimumTokens, maxTokens);
    return view;
  }
}

@QueryHandler(FindViewQuery)
export class FindViewHandler implements IQueryHandler<FindViewQuery> {
  constructor(
    private readonly views: Views,
    private readonly summaries: SummaryNote,
  ) {}

  async execute({ request }: FindViewQuery): Promise<NotedView> {
    const principal = readingAs(request.principal, request.agent);
    const view = await this.views.render({ ...request, principal });
    return { ...view, notes: await this.#notes(request, view) };
  }

  /** No notes for narrower audiences, because they would reveal hidden activity, nor for earlier versions. */
  async #notes({ principal, contextId, asOf }: ViewRequest, view: RenderedView): Promise<string[]> {
    const isShortened = view.items.some(({ form }) => form !== 'whole');
    if (view.tag !== null || asOf !== undefined || !isShortened) return [];
    const note = await this.summaries.find({ workspace: principal.workspace, contextId });
    return note === undefined ? [] : [note];
  }
}
