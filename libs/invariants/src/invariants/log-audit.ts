import { type Sha256, type StoredEvent, checkChain, openEnvelope } from '#event-sourcing';

import { type History } from '../history/history.js';
import { Findings, type InvariantReport, notChecked } from '../invariant-report.js';
import { AcknowledgedEvents } from './acknowledged-events.js';
import { DeliveredEvents } from './delivered-events.js';

/** Returns the owner of the hash chain of a stream; undefined for streams without a chain. */
type OwnerOfStream = (
  stream: string,
) => Readonly<{ workspace: string; context: string }> | undefined;

type LogAuditOptions = Readonly<{
  history: History | undefined;
  ownerOf: OwnerOfStream;
  sha256: Sha256;
  comparePositions: (left: string, right: string) => number;
}>;

type StreamState = { version: number; hash: string | null; broken: boolean; commands: Set<string> };

/**
 * Checks the log stream by stream (I1, I2, I3, I5, I9). Its memory is bounded by the current stream and the history.
 * Call `take` with the events of a stream, in order and in portions, and then `finish`.
 */
export class LogAudit {
  /** The last version of every stream in the history. */
  readonly lastVersions = new Map<string, number>();
  readonly #versions = new Findings('I2');
  readonly #duplicates = new Findings('I3');
  readonly #chains = new Findings('I9');
  readonly #acknowledged: AcknowledgedEvents;
  readonly #delivered: DeliveredEvents;
  #state = begin();
  #unchained = 0;

  constructor(private readonly options: LogAuditOptions) {
    this.#acknowledged = new AcknowledgedEvents(options.history?.appends ?? []);
    this.#delivered = new DeliveredEvents(
      options.history?.deliveries ?? [],
      options.comparePositions,
    );
  }

  take(stream: string, events: readonly StoredEvent[]): void {
    this.#checkChain(stream, events);
    for (const event of events) {
      this.#versions.checked();
      if (event.version !== this.#state.version + 1)
        this.#versions.offend(`${stream}: version ${event.version} follows ${this.#state.version}`);
      this.#state.version = event.version;
      this.#checkCommand(stream, event);
      this.#acknowledged.find(event);
      this.#delivered.find(event);
    }
  }

  /** Ends the current stream. */
  finish(stream: string): void {
    if (this.#acknowledged.has(stream)) this.lastVersions.set(stream, this.#state.version);
    this.#state = begin();
  }

  /** Reports an event id that is stored more than once. */
  duplicate(eventId: string, times: number): void {
    this.#duplicates.offend(`event ${eventId} is stored ${times} times`);
  }

  /** `duplicatesNote` describes the events that were not checked for duplicates. */
  reports(duplicatesNote: string | null = null): InvariantReport[] {
    const { history } = this.options;
    const unchained = this.#unchained === 0 ? null : `${this.#unchained} events have no chain`;
    return [
      history ? this.#acknowledged.report() : notChecked('I1', 'needs a history'),
      this.#versions.report(),
      this.#duplicates.report(duplicatesNote),
      history && history.deliveries.length > 0
        ? this.#delivered.report()
        : notChecked('I5', 'needs a history with deliveries'),
      this.#chains.report(unchained),
    ];
  }

  #checkChain(stream: string, events: readonly StoredEvent[]): void {
    const owner = this.options.ownerOf(stream);
    if (!owner) this.#unchained += events.length;
    else this.#chains.checked(events.length);
    if (!owner || this.#state.broken) return;
    const { version, hash } = this.#state;
    const { end, broken } = checkChain(events, { version, hash }, owner, this.options.sha256);
    this.#state.hash = end.hash;
    if (!broken) return;
    this.#state.broken = true;
    this.#chains.offend(`${stream}: version ${broken.version}, ${broken.reason}`);
  }

  /** The events of a command contain its idempotency key and their index in its answer. */
  #checkCommand(stream: string, event: StoredEvent): void {
    this.#duplicates.checked();
    const command = this.options.ownerOf(stream) && commandOf(event);
    if (command === undefined) return;
    if (this.#state.commands.has(command))
      this.#duplicates.offend(`${stream}: version ${event.version} repeats a command`);
    this.#state.commands.add(command);
  }
}

function begin(): StreamState {
  return { version: 0, hash: null, broken: false, commands: new Set() };
}

function commandOf({ metadata }: StoredEvent): string | undefined {
  try {
    const { idempotency } = openEnvelope(metadata);
    return idempotency ? `${idempotency.key} ${idempotency.index}` : undefined;
  } catch {
    // The check of the chain reports an unreadable envelope.
    return undefined;
  }
}
