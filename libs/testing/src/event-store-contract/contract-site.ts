import { type EventStore, type StoredEvent } from '#event-sourcing';

import { newEvents, newStream } from './stored-events.js';

export type EventStoreFixture = Readonly<{
  store: EventStore;
  /** A second store on the same log, as another process has it. */
  rival: EventStore;
  /** Makes the log stop responding until the returned function is called. */
  freeze: () => Promise<() => Promise<void>>;
  close: () => Promise<void>;
}>;

/** The differences that adapters may have. */
export type EventStoreFlags = Readonly<{
  /** Positions count events, so lag is exact. */
  countsEvents: boolean;
  /** Every call returns immediately, so no deadline can be missed. */
  answersAtOnce: boolean;
  /** The fixture can freeze the log, so that calls miss their deadlines. */
  canFreeze: boolean;
}>;

/** The adapter under test, once its fixture is open. */
export class ContractSite {
  #fixture: EventStoreFixture | undefined;

  constructor(readonly flags: EventStoreFlags) {}

  async open(openFixture: () => Promise<EventStoreFixture>): Promise<void> {
    this.#fixture = await openFixture();
  }

  async close(): Promise<void> {
    await this.#fixture?.close();
  }

  get fixture(): EventStoreFixture {
    if (!this.#fixture) throw new Error('the fixture is not open yet');
    return this.#fixture;
  }

  get store(): EventStore {
    return this.fixture.store;
  }

  async streamOf(count: number): Promise<string> {
    const stream = newStream();
    if (count > 0) await this.store.append(stream, newEvents(count), 'no-stream');
    return stream;
  }

  async stored(stream: string): Promise<StoredEvent[]> {
    return this.store.readStream(stream, { limit: 10_000 });
  }
}
