import {
  type Api,
  type AsOf,
  type Changes,
  type ClientEvent,
  type ContextDocument,
  type Prompt,
  type QueryOf,
  type WriteBody,
  type StoredEvent,
  type TailEvent,
  type View,
  type ViewItem,
  type WriteResult,
} from './api.js';
import { path } from './address.js';
import { ContextParts } from './context-parts.js';
import { Endpoints, type ReadOptions } from './endpoints.js';
import { type HttpClient } from './http-client.js';
import { type WriteOptions } from './request-options.js';
import { type List } from './pages.js';
import { type TailOptions, tailContext } from './tail.js';
import { updateContext, type UpdateCallback, type UpdateOptions } from './update.js';

type Rest<Query> = Omit<Query, 'format'>;
export type ViewQuery = Rest<AsOf<QueryOf<Api.GetViewData>>>;
export type AppendOptions = WriteOptions & Readonly<{ agentId?: string | undefined }>;

/** Reads and writes one context. No request is sent until a method is called. */
export class Context extends ContextParts {
  constructor(
    http: HttpClient,
    readonly id: string,
    agent?: string,
  ) {
    super(new Endpoints(http, path`/v1/contexts/${id}`, agent));
  }

  /** The document as the audience sees it; `parts` names the members that are read. */
  async get(
    query?: AsOf<QueryOf<Api.GetContextData>>,
    options?: ReadOptions,
  ): Promise<ContextDocument> {
    return this.endpoints.read('', query, options);
  }

  /** A view for an agent: text within a budget of tokens, with the receipt to cite. With `markdown`, only the text. */
  view(query: ViewQuery & Readonly<{ format: 'markdown' }>, options?: ReadOptions): Promise<string>;
  view(query?: ViewQuery & Readonly<{ format?: 'json' }>, options?: ReadOptions): Promise<View>;
  async view(
    query?: ViewQuery & Readonly<{ format?: 'json' | 'markdown' }>,
    options?: ReadOptions,
  ): Promise<View | string> {
    if (query?.format !== 'markdown') return this.endpoints.read<View>('/view', query, options);
    const { http, base } = this.endpoints;
    const request = { ...options, query, parse: 'text' } as const;
    return (await http.request<string>('GET', `${base}/view`, request)).body;
  }

  /** The original of one item of a view, by its `ref`. */
  item(
    ref: string,
    query?: AsOf<QueryOf<Api.GetViewItemData>>,
    options?: ReadOptions,
  ): Promise<ViewItem> {
    return this.endpoints.read(path`/items/${ref}`, query, options);
  }

  /** Renders a prompt template with values of the context. */
  prompt(body: Api.RenderPromptData['body'], options?: ReadOptions): Promise<Prompt> {
    return this.endpoints.send('POST', '/prompt', body, options);
  }

  /** The stored events, oldest first. */
  events(query?: AsOf<QueryOf<Api.ListEventsData>>, options?: ReadOptions): List<StoredEvent> {
    return this.endpoints.list('/events', query, options);
  }

  /** The changes since a version or a time. */
  changes(
    query?: Omit<QueryOf<Api.ListChangesData>, 'since'> &
      Readonly<{ since?: number | string | undefined }>,
    options?: ReadOptions,
  ): Promise<Changes> {
    return this.endpoints.read('/changes', query, options);
  }

  diff(
    query: QueryOf<Api.CompareContextData>,
    options?: ReadOptions,
  ): Promise<Api.CompareContextResponse> {
    return this.endpoints.read('/diff', query, options);
  }

  check(query?: QueryOf<Api.CheckContextData>, options?: ReadOptions) {
    return this.endpoints.read<Api.CheckContextResponse>('/check', query, options);
  }

  /** Appends 1 to 500 events atomically. */
  append(
    events: readonly ClientEvent[],
    { agentId, ...options }: AppendOptions = {},
  ): Promise<WriteResult> {
    const body = { events, ...(agentId !== undefined && { agentId }) };
    return this.endpoints.write('/events', body, options);
  }

  /** Reads the document, calls the callback, and appends its events; repeats this after a conflict. See {@link updateContext}. */
  update(callback: UpdateCallback, options?: UpdateOptions): Promise<WriteResult> {
    return updateContext(this, callback, options);
  }

  /**
   * Yields all events after `after`, then each new one when it is stored, until `signal` aborts, which ends the iteration. It
   * reconnects after a lost connection.
   */
  tail(options?: TailOptions): AsyncGenerator<TailEvent, void, void> {
    return tailContext(this.endpoints, options);
  }

  close(body: WriteBody<Api.CloseContextData> = {}, options?: WriteOptions): Promise<WriteResult> {
    return this.endpoints.write('/close', body, options);
  }

  reopen(
    body: WriteBody<Api.ReopenContextData> = {},
    options?: WriteOptions,
  ): Promise<WriteResult> {
    return this.endpoints.write('/reopen', body, options);
  }

  /** Writes a changed document. Omitted members stay unchanged; its `_version` is the version that was read. */
  replace(document: Api.ReplaceContextData['body'], options?: WriteOptions): Promise<WriteResult> {
    return this.endpoints.send('PUT', '', document, options);
  }

  setPreferences(patch: Readonly<Record<string, unknown>>, options?: WriteOptions) {
    return this.endpoints.send<WriteResult>('PATCH', '/preferences', patch, options);
  }

  setGlobalContext(patch: Readonly<Record<string, unknown>>, options?: WriteOptions) {
    return this.endpoints.send<WriteResult>('PATCH', '/global-context', patch, options);
  }
}
