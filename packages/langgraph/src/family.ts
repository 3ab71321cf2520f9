import { type Client, ContextLog } from './context-log.js';
import { contextIdOf, labelsOf } from './encoded-id.js';

type Page = Readonly<{
  items: readonly Readonly<{ contextId: string }>[];
  nextCursor: string | null;
}>;

type WithLabels = Readonly<{
  metadata: Readonly<{ langgraph?: Readonly<{ labels: readonly unknown[] }> }>;
}>;

const mostListed = 500;

/** The contexts of one kind: children of a context that serves to find them. Their ids are made of labels. */
export class Family {
  readonly #parent: ContextLog;
  #parentExists = false;

  constructor(
    private readonly client: Client,
    private readonly names: Readonly<{ parentId: string; prefix: string; title: string }>,
  ) {
    this.#parent = new ContextLog(client, names.parentId);
  }

  log(labels: readonly string[]): ContextLog {
    return new ContextLog(this.client, contextIdOf(this.names.prefix, labels));
  }

  /** Does nothing if the context exists already. */
  async create(labels: readonly string[]): Promise<void> {
    const { title } = this.names;
    if (!this.#parentExists) await this.#parent.create({ title });
    this.#parentExists = true;
    const facts = { title, parent: this.#parent.contextId, metadata: { langgraph: { labels } } };
    await this.log(labels).create(facts);
  }

  /** The labels of each member. */
  async *members(): AsyncGenerator<string[]> {
    for (let cursor: string | undefined; ;) {
      const query = { parent: this.#parent.contextId, limit: mostListed, cursor };
      const { body } = await this.client.request<Page>('GET', '/v1/contexts', { query });
      for (const { contextId } of body.items)
        yield labelsOf(this.names.prefix, contextId) ?? (await this.#statedLabels(contextId));
      if (body.nextCursor === null) return;
      cursor = body.nextCursor;
    }
  }

  async #statedLabels(contextId: string): Promise<string[]> {
    const log = new ContextLog(this.client, contextId);
    const document = await log.parts<WithLabels>('metadata');
    return document?.metadata.langgraph?.labels.map(String) ?? [];
  }
}
