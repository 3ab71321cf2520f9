import {
  type AllStreamRecordedEvent,
  type AppendResult,
  EventStoreDBClient,
  type Position,
  type ReadRevision,
  type ResolvedEvent,
  type SubscribeToAllOptions,
  type SubscribeToStreamOptions,
} from '@eventstore/db-client';

import { waitFor } from './wait-for.js';

// For the tests of the stand-in: KurrentDB's own client, and what it says in words that a test can name.

/** What both kinds of subscription are. */
type Subscription = {
  unsubscribe(): Promise<void>;
  pause(): unknown;
  resume(): unknown;
  on(event: 'data', listener: (event: ResolvedEvent) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'confirmation' | 'caughtUp' | 'end', listener: () => void): unknown;
};

export function connect(connectionString: string): EventStoreDBClient {
  return EventStoreDBClient.connectionString(connectionString);
}

/** Makes a call of its own for each append, as for a server that knows no batches. */
export function connectUnbatched(connectionString: string): EventStoreDBClient {
  return Object.assign(connect(connectionString), { supports: () => Promise.resolve(false) });
}

/** `revision 3`, or the type of the error, with the actual version where it is a conflict. */
export async function tell(append: Promise<AppendResult>): Promise<string> {
  try {
    return `revision ${(await append).nextExpectedRevision}`;
  } catch (error) {
    const { type, actualVersion } = readFailure(error);
    return actualVersion === undefined ? type : `${type}, actual ${actualVersion}`;
  }
}

/** What a read gives, links as they are. */
export async function collectEvents(
  read: AsyncIterable<ResolvedEvent>,
): Promise<AllStreamRecordedEvent[]> {
  const events: AllStreamRecordedEvent[] = [];
  for await (const { event, link } of read) {
    const shown = link ?? event;
    // Servers from 22.6 on give the position to reads of a stream too; the type of the client leaves it out.
    if (shown) events.push(shown as AllStreamRecordedEvent);
  }
  return events;
}

export async function newRevisions(client: EventStoreDBClient, stream: string): Promise<bigint[]> {
  return (await collectEvents(client.readStream(stream))).map(({ revision }) => revision);
}

export function followAll(client: EventStoreDBClient, options: SubscribeToAllOptions): Followed {
  const followed = new Followed();
  const { filter } = options;
  followed.listen(
    client.subscribeToAll({
      ...options,
      ...(filter && {
        filter: {
          ...filter,
          checkpointReached: (_, position) => void followed.reach(position),
        },
      }),
    }),
  );
  return followed;
}

export function followStream(
  client: EventStoreDBClient,
  stream: string,
  fromRevision: ReadRevision,
  options: SubscribeToStreamOptions = {},
): Followed {
  const followed = new Followed();
  followed.listen(client.subscribeToStream(stream, { fromRevision, ...options }));
  return followed;
}

/** What a subscription has told so far: `confirmed`, `<revision>@<stream>`, `checkpoint`, `caught up`, … */
export class Followed {
  readonly told: string[] = [];
  readonly events: AllStreamRecordedEvent[] = [];
  readonly checkpoints: Position[] = [];
  /** How many events had been told before each checkpoint. */
  readonly eventsBefore: number[] = [];
  #subscription: Subscription | undefined;

  listen(subscription: Subscription): void {
    this.#subscription = subscription;
    subscription.on('confirmation', () => this.#tell('confirmed'));
    subscription.on('caughtUp', () => this.#tell('caught up'));
    subscription.on('data', ({ event, link }: ResolvedEvent) => {
      const shown = link ?? event;
      if (!shown) return;
      this.events.push(shown as AllStreamRecordedEvent);
      this.#tell(`${shown.revision}@${shown.streamId}`);
    });
    subscription.on('error', (error) => this.#tell(`failed: ${readFailure(error).type}`));
    subscription.on('end', () => this.#tell('ended'));
  }

  reach(position: Position): void {
    this.checkpoints.push(position);
    this.eventsBefore.push(this.events.length);
    this.#tell('checkpoint');
  }

  /** Resolves once what was told fulfils the condition; fails if it ends before. */
  async until(holds: (told: readonly string[]) => boolean): Promise<void> {
    const look = () => {
      const isOver = /^(failed|ended)/.test(this.told.at(-1) ?? '');
      if (isOver && !holds(this.told))
        throw new Error(`the subscription ended: ${this.told.join(', ')}`);
      return this.told;
    };
    await waitFor('a report of the subscription, all of them listed here', look, { until: holds });
  }

  pause(): void {
    this.#subscription?.pause();
  }

  resume(): void {
    this.#subscription?.resume();
  }

  async end(): Promise<void> {
    await this.#subscription?.unsubscribe();
  }

  #tell(text: string): void {
    this.told.push(text);
  }
}

export function readFailure(error: unknown): { type: string; actualVersion?: string } {
  if (!(error instanceof Error)) return { type: String(error) };
  const type = 'type' in error ? String(error.type) : `${error.name}: ${error.message}`;
  return 'actualVersion' in error ? { type, actualVersion: String(error.actualVersion) } : { type };
}
