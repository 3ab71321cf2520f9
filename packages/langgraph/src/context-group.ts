import { type Client, ContextLog } from './context-log.js';
import { contextIdOf, labelsOf } from './encoded-id.js';

const maxListed = 500;

/** The contexts of one kind. They are children of one context, so that they can be listed, and their ids encode labels. */
export class ContextGroup {
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
    const parent = this.#parent.contextId;
    await this.log(labels).create({ title, parent, metadata: { langgraph: { labels } } });
  }

  /** Yields the labels of each context. */
  async *members(): AsyncGenerator<string[]> {
    const { prefix } = this.names;
    const children = this.client.contexts.list({
      parent: this.#parent.contextId,
      limit: maxListed,
    });
    for await (const child of children) {
      const contextId = String(child.contextId);
      const labels = labelsOf(prefix, contextId) ?? (await this.#labelsInMetadata(contextId));
      // The parent may have other children.
      if (contextIdOf(prefix, labels) === contextId) yield labels;
    }
  }

  async #labelsInMetadata(contextId: string): Promise<string[]> {
    const document = await new ContextLog(this.client, contextId).read('metadata');
    const metadata = document?.metadata['langgraph'];
    const labels =
      typeof metadata === 'object' && metadata && 'labels' in metadata ? metadata.labels : [];
    return Array.isArray(labels) ? labels.map(String) : [];
  }
}
