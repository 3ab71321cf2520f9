import { randomUUID } from 'node:crypto';

import { backOff, within } from '#event-store-adapter';
import { type CallOptions, StoreUnavailableError, VersionConflictError } from '#event-sourcing';

import { type Appender } from './appender.js';
import { type LogReader } from './log-reader.js';
import { PendingAppend } from './pending-append.js';

const type = 'StoreIdentified';

/** The id of a store, stored as the only event of a separate stream; the first caller creates it. */
export class StoreIdentity {
  constructor(
    private readonly stream: string,
    private readonly reader: LogReader,
    private readonly appender: Appender,
  ) {}

  /** If several processes call it concurrently, one creates the id; the others wait until it is readable. */
  find(options?: CallOptions): Promise<string> {
    const late = () => this.reader.late();
    return within(options, late, async (signal) => {
      const call = { ...options, signal };
      for (let attempt = 0; ; attempt++) {
        const id = (await this.#read(call)) ?? (await this.#create(call));
        if (id !== undefined) return id;
        await backOff(attempt, signal);
      }
    });
  }

  /** Undefined if another process has created the id. */
  async #create(options: CallOptions): Promise<string | undefined> {
    const id = randomUUID();
    const event = { eventId: id, type, data: JSON.stringify({ id }), metadata: '{}' };
    try {
      const append = new PendingAppend(this.stream, [event], 'no-stream');
      await this.appender.append(this.stream, append, options);
      return id;
    } catch (error) {
      if (error instanceof VersionConflictError) return undefined;
      throw error;
    }
  }

  async #read(options: CallOptions): Promise<string | undefined> {
    const found = await this.reader.findFirst(this.stream, options);
    if (!found) return undefined;
    const { data } = found;
    if (typeof data === 'object' && 'id' in data && typeof data['id'] === 'string') return data.id;
    return this.#refuse();
  }

  #refuse(): never {
    throw new StoreUnavailableError(
      `the stream "${this.stream}" in KurrentDB does not name an event store: use another namespace`,
    );
  }
}
