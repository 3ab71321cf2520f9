import { setTimeout as wait } from 'node:timers/promises';

import { type EventStore, VersionConflictError } from '#event-sourcing';
import {
  type ContextId,
  type ContextReader,
  type ContextSnapshot,
  type DecodedEvent,
  contextStream,
  decodeEvent,
} from '#read-models';
import { type ItemKey, requiredKeys } from '#shared-context';
import { type TransformationSet } from '#transformations';

import { ConcurrencyExhaustedError } from '../errors.js';
import { mayDerive } from '../transformations/happenings.js';
import { ItemsMissingError, LoadedKeys } from './decide-commands.js';
import { type Outcome, type Round, decideRound } from './decide-round.js';
import { type PreparedWrite } from './prepared-write.js';
import { StreamQueue, type Ticket } from './stream-queue.js';

/** What a write came to; `events` are those it stored, now or when its key was first used. */
export type Written =
  | Readonly<{ kind: 'stored'; events: readonly DecodedEvent[] }>
  /** Refused, and what it was cause for is stored. */
  | Readonly<{ kind: 'recorded'; error: unknown; events: readonly DecodedEvent[] }>
  | Readonly<{ kind: 'replay'; first: number; count: number }>
  | Readonly<{ kind: 'nothing'; version: number }>
  | Readonly<{ kind: 'conflict'; expected: number; current: number }>;

/** What the writer tells of its work: retries and the size of rounds. */
export type WriterEvents = Readonly<{
  appended?: (round: Readonly<{ writes: number; events: number }>) => void;
  raced?: () => void;
}>;

export type ContextWriterOptions = Readonly<{
  appendTimeoutMs: number;
  now: () => number;
  events?: WriterEvents;
}>;

/** The transformations in force in a workspace, whoever stored them last. */
export type TransformationSource = Readonly<{
  find: (workspace: string) => Promise<TransformationSet>;
}>;

/** Tries beyond the first where other processes keep winning the race. */
const retries = 3;
const firstBackoffMs = 5;

/**
 * The one write path: load what the writes ask for, decide them in their order, store them in one append with the
 * version they were decided on. A lost race loads and decides again, so only what truly collides is refused.
 */
export class ContextWriter {
  readonly #queue = new StreamQueue<PreparedWrite, Written>((_stream, tickets) =>
    this.#settle(tickets),
  );

  constructor(
    private readonly store: EventStore,
    private readonly reader: ContextReader,
    private readonly transformations: TransformationSource,
    private readonly options: ContextWriterOptions,
  ) {}

  submit(write: PreparedWrite): Promise<Written> {
    return this.#queue.submit(contextStream(write.id), write);
  }

  /** Stored events, decoded: what an answer or a refused condition shows. */
  async events(id: ContextId, from: number, limit: number): Promise<DecodedEvent[]> {
    return (await this.store.readStream(contextStream(id), { from, limit })).map(decodeEvent);
  }

  async #settle(tickets: readonly Ticket<PreparedWrite, Written>[]): Promise<number> {
    const writes = tickets.map(({ work }) => work);
    const round = await this.#storeRound(writes);
    round.outcomes.forEach((outcome, at) => answer(tickets[at], outcome, round));
    return round.outcomes.length;
  }

  async #storeRound(writes: readonly PreparedWrite[]): Promise<Round> {
    for (let attempt = 0; ; attempt++) {
      const { snapshot, round } = await this.#decide(writes);
      const outcome = await this.#append(snapshot, writes, round);
      if (outcome === 'stored') return round;
      this.options.events?.raced?.();
      if (attempt === retries) return exhausted(round);
      await wait(firstBackoffMs * 2 ** attempt * (0.5 + Math.random()));
    }
  }

  /** Which items a command looks at may depend on others: each time round, more of them are known. */
  async #decide(
    writes: readonly PreparedWrite[],
  ): Promise<{ snapshot: ContextSnapshot; round: Round }> {
    const loaded = new LoadedKeys().add(writes.flatMap(keysOfWrite));
    const finding = this.#transformationsOf(writes);
    for (;;) {
      // Side by side: the look at the transformations costs a write no time of its own.
      const [snapshot, transformations] = await Promise.all([this.#load(writes, loaded), finding]);
      const ground = { snapshot, loaded, now: this.options.now(), transformations };
      try {
        return { snapshot, round: decideRound(ground, writes) };
      } catch (error) {
        if (!(error instanceof ItemsMissingError)) throw error;
        loaded.add(error.keys);
      }
    }
  }

  /** Most writes lead to no derived value, and do not look. */
  #transformationsOf(writes: readonly PreparedWrite[]): Promise<TransformationSet | undefined> {
    const [first] = writes;
    const looks = writes.some(({ commands }) => commands.some(mayDerive));
    return first && looks
      ? this.transformations.find(first.id.workspace)
      : Promise.resolve(undefined);
  }

  async #append(
    snapshot: ContextSnapshot,
    writes: readonly PreparedWrite[],
    { draft }: Round,
  ): Promise<'stored' | 'raced'> {
    const { appendTimeoutMs: timeoutMs, events } = this.options;
    const [first] = writes;
    if (draft.encoded.length === 0 || !first) return 'stored';
    const expected = snapshot.head ? snapshot.head.version : 'no-stream';
    try {
      await this.store.append(contextStream(first.id), draft.encoded, expected, { timeoutMs });
      events?.appended?.({ writes: writes.length, events: draft.encoded.length });
      return 'stored';
    } catch (error) {
      if (error instanceof VersionConflictError) return 'raced';
      throw error;
    }
  }

  #load([first]: readonly PreparedWrite[], loaded: LoadedKeys): Promise<ContextSnapshot> {
    if (!first) throw new Error('a round holds at least one write');
    return this.reader.read(
      first.id,
      { keys: loaded.all(), bodies: false },
      { timeoutMs: this.options.appendTimeoutMs },
    );
  }
}

function keysOfWrite({ commands, repeat }: PreparedWrite): ItemKey[] {
  const keys = commands.flatMap((command) => requiredKeys(command, nothingKnown));
  return repeat ? [...keys, { kind: 'idempotency', key: repeat.key }] : keys;
}

function nothingKnown(): undefined {
  return undefined;
}

function answer(
  ticket: Ticket<PreparedWrite, Written> | undefined,
  outcome: Outcome,
  { draft }: Round,
): void {
  if (outcome.kind === 'refused') ticket?.reject(outcome.error);
  else if (outcome.kind !== 'stored' && outcome.kind !== 'recorded') ticket?.resolve(outcome);
  else {
    const last = outcome.first + outcome.count;
    const events = draft.events.filter(({ version }) => version >= outcome.first && version < last);
    ticket?.resolve({ ...outcome, events });
  }
}

/** What rested on events of the round did not come to be; answers to known keys stand. */
function exhausted({ draft, outcomes }: Round): Round {
  const firstOfRound = draft.events.at(0)?.version ?? 0;
  const error = new ConcurrencyExhaustedError(
    `others kept writing first, ${retries + 1} times: try again`,
  );
  const refusal: Outcome = { kind: 'refused', error };
  const settled = (outcome: Outcome) => outcome.kind === 'replay' && outcome.first < firstOfRound;
  return { draft, outcomes: outcomes.map((outcome) => (settled(outcome) ? outcome : refusal)) };
}
