import { type ApiClient, parseAnswer, path, versionOf } from '../api-client.js';
import { pageOf } from '../paging.js';
import { sendForAllPages } from './all-pages.js';
import { type ShownEvent, contextEvent } from './context-event.js';
import { type ChangedPart, changedParts, difference, distinctParts } from './difference.js';

const page = pageOf(contextEvent);
const pageSize = 200;

/** One event and what it changed. */
export type Step = Readonly<{ event: ShownEvent; parts: readonly ChangedPart[] }>;

/** The events of a context, read from the server as they are needed. */
export class History {
  readonly #events: ShownEvent[] = [];
  #ended = false;

  constructor(
    private readonly api: ApiClient,
    private readonly context: string,
  ) {}

  /** The event at a place counted from 0, undefined behind the last. */
  async at(place: number): Promise<ShownEvent | undefined> {
    while (this.#events.length <= place && !this.#ended) await this.#readOn();
    return this.#events[place];
  }

  /** The version a context has now. */
  async newest(): Promise<number> {
    const query = { limit: 1 };
    return versionOf(await this.api.send({ path: path`contexts/${this.context}/events`, query }));
  }

  /** What the event made of the context before it. */
  async step(event: ShownEvent): Promise<Step> {
    const query = { from: event.version - 1, to: event.version };
    const request = { path: path`contexts/${this.context}/diff`, query };
    const answer = await sendForAllPages(this.api, request);
    return { event, parts: distinctParts(changedParts(parseAnswer(difference, answer))) };
  }

  async #readOn(): Promise<void> {
    const query = { after: this.#events.at(-1)?.version ?? 0, limit: pageSize };
    const answer = await this.api.send({ path: path`contexts/${this.context}/events`, query });
    const { items, nextCursor } = parseAnswer(page, answer);
    this.#events.push(...items);
    this.#ended = nextCursor === null;
  }
}
