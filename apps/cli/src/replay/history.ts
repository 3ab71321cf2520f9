import { type ApiClient, parseAnswer, path, versionOf } from '../api-client.js';
import { pageOf } from '../paging.js';
import { sendForAllPages } from './all-pages.js';
import { type ContextEvent, contextEvent } from './context-event.js';
import { type ChangedPart, changedParts, difference, distinctParts } from './difference.js';

const page = pageOf(contextEvent);
const pageSize = 200;

/** An event and the parts that it changed. */
export type Step = Readonly<{ event: ContextEvent; parts: readonly ChangedPart[] }>;

/** The events of a context, read from the server as they are needed. */
export class History {
  readonly #events: ContextEvent[] = [];
  #ended = false;

  constructor(
    private readonly api: ApiClient,
    private readonly context: string,
  ) {}

  /** Returns the event at an index from 0; undefined after the last event. */
  async at(index: number): Promise<ContextEvent | undefined> {
    while (this.#events.length <= index && !this.#ended) await this.#readPage();
    return this.#events[index];
  }

  /** Returns the current version of the context. */
  async newest(): Promise<number> {
    const query = { limit: 1 };
    return versionOf(await this.api.send({ path: path`contexts/${this.context}/events`, query }));
  }

  /** Returns the parts that the event changed. */
  async step(event: ContextEvent): Promise<Step> {
    const query = { from: event.version - 1, to: event.version };
    const request = { path: path`contexts/${this.context}/diff`, query };
    const answer = await sendForAllPages(this.api, request);
    return { event, parts: distinctParts(changedParts(parseAnswer(difference, answer))) };
  }

  async #readPage(): Promise<void> {
    const query = { after: this.#events.at(-1)?.version ?? 0, limit: pageSize };
    const answer = await this.api.send({ path: path`contexts/${this.context}/events`, query });
    const { items, nextCursor } = parseAnswer(page, answer);
    this.#events.push(...items);
    this.#ended = nextCursor === null;
  }
}
