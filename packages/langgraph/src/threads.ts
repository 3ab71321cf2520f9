import { BoundedMap } from './bounded-map.js';
import { type Client, type ContextLog } from './context-log.js';
import { ContextGroup } from './context-group.js';
import { Thread } from './thread.js';

const maxThreads = 1_000;

/** The contexts of threads. */
export class Threads {
  readonly #group: ContextGroup;
  readonly #threads = new BoundedMap<string, Thread>(maxThreads);

  constructor(client: Client, prefix: string) {
    this.#group = new ContextGroup(client, {
      parentId: `${prefix}threads`,
      prefix: `${prefix}thread.`,
      title: 'LangGraph thread',
    });
  }

  log(threadId: string): ContextLog {
    return this.#group.log([threadId]);
  }

  /** Writes to one thread are ordered by this object. */
  thread(threadId: string): Thread {
    const thread = this.#threads.get(threadId) ?? this.#open(threadId);
    this.#threads.set(threadId, thread);
    return thread;
  }

  async *ids(): AsyncGenerator<string> {
    for await (const [threadId] of this.#group.members()) if (threadId) yield threadId;
  }

  #open(threadId: string): Thread {
    return new Thread(threadId, this.log(threadId), () => this.#group.create([threadId]));
  }
}
