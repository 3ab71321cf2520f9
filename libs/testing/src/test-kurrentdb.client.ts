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

// For the tests of the stand-in: KurrentDB's client, and its results as texts for test cases.

/** The common part of both kinds of subscription. */
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

/** Makes a separate call for each append, as for a server that does not support batches. */
export function connectUnbatched(connectionString: string): EventStoreDBClient {
  return Object.assign(connect(connectionString), { supports: () => Promise.resolve(false) });
}

/** `revision 3`, or the type of the error, for a conflict with the actual version. */
export async function outcomeOf(append: Promise<AppendResult>): Promise<string> {
  try {
    return `revision ${(await append).nextExpectedRevision}`;
  } catch (error) {
    const { type, actualVersion } = readFailure(error);
    return actualVersion === undefined ? type : `${type}, actual ${actualVersion}`;
  }
}

/** The events that a read returns, without resolved links. */
export async function collectEvents(
  read: AsyncIterable<ResolvedEvent>,
): Promise<AllStreamRecordedEvent[]> {
  const events: AllStreamRecordedEvent[] = [];
  for await (const { event, link } of read) {
    const shown = link ?? event;
    // Since version 22.6, servers also return the position in reads of a stream; the type of the client omits it.
    if (shown) events.push(shown as AllStreamRecordedEvent);
  }
  return events;
}

export async function newRevisions(client: EventStoreDBClient, stream: string): Promise<bigint[]> {
  return (await collectEvents(client.readStream(stream))).map(({ revision }) => revision);
}

export function followAll(
  client: EventStoreDBClient,
  options: SubscribeToAllOptions,
): FollowedSubscription {
  const followed = new FollowedSubscription();
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
): FollowedSubscription {
  const followed = new FollowedSubscription();
  followed.listen(client.subscribeToStream(stream, { fromRevision, ...options }));
  return followed;
}

/** The reports of a subscription so far: `confirmed`, `<revision>@<stream>`, `checkpoint`, `caught up`, … */
export class FollowedSubscription {
  readonly reports: string[] = [];
  readonly events: AllStreamRecordedEvent[] = [];
  readonly checkpoints: Position[] = [];
  /** The number of events that were delivered before each checkpoint. */
  readonly eventsBefore: number[] = [];
  #subscription: Subscription | undefined;

  listen(subscription: Subscription): void {
    this.#subscription = subscription;
    subscription.on('confirmation', () => this.#report('confirmed'));
    subscription.on('caughtUp', () => this.#report('caught up'));
    subscription.on('data', ({ event, link }: ResolvedEvent) => {
      const shown = link ?? event;
      if (!shown) return;
      this.events.push(shown as AllStreamRecordedEvent);
      this.#report(`${shown.revision}@${shown.streamId}`);
    });
    subscription.on('error', (error) => this.#report(`failed: ${readFailure(error).type}`));
    subscription.on('end', () => this.#report('ended'));
  }

  reach(position: Position): void {
    this.checkpoints.push(position);
    this.eventsBefore.push(this.events.length);
    this.#report('checkpoint');
  }

  /** Resolves once the reports fulfill the condition; fails if the subscription ends first. */
  async until(holds: (reports: readonly string[]) => boolean): Promise<void> {
    const look = () => {
      const isOver = /^(failed|ended)/.test(this.reports.at(-1) ?? '');
      if (isOver && !holds(this.reports))
        throw new Error(`the subscription ended: ${this.reports.join(', ')}`);
      return this.reports;
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

  #report(text: string): void {
    this.reports.push(text);
  }
}

export function readFailure(error: unknown): { type: string; actualVersion?: string } {
  if (!(error instanceof Error)) return { type: String(error) };
  const type = 'type' in error ? String(error.type) : `${error.name}: ${error.message}`;
  return 'actualVersion' in error ? { type, actualVersion: String(error.actualVersion) } : { type };
}
