import { type Sha256, type StoredEvent, checkChain, openEnvelope } from '#event-sourcing';

import { type History } from '../history/history.js';
import { Findings, type InvariantReport, notChecked } from '../invariant-report.js';
import { AcknowledgedEvents } from './acknowledged-events.js';
import { DeliveredEvents } from './delivered-events.js';

/** Who owns a stream's chain; undefined for streams that have none. */
type OwnerOfStream = (
  stream: string,
) => Readonly<{ workspace: string; context: string }> | undefined;

type LogAuditOptions = Readonly<{
  history: History | undefined;
  ownerOf: OwnerOfStream;
  sha256: Sha256;
  comparePositions: (left: string, right: string) => number;
}>;

type Walk = { version: number; hash: string | null; broken: boolean; commands: Set<string> };

/**
 * Walks the log stream by stream (I1, I2, I3, I5, I9) and keeps no more than the stream in hand and the history need.
 * Give it a stream's events in their order, in portions, then `finish` the stream.
 */
export class LogAudit {
  /** The last version of every stream the history speaks of. */
  readonly lastVersions = new Map<string, number>();
  readonly #versions = new Findings('I2');
  readonly #duplicates = new Findings('I3');
  readonly #chains = new Findings('I9');
  readonly #acknowledged: AcknowledgedEvents;
  readonly #delivered: DeliveredEvents;
  #walk = begin();
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
      if (event.version !== this.#walk.version + 1)
        this.#versions.offend(`${stream}: version ${event.version} follows ${this.#walk.version}`);
      this.#walk.version = event.version;
      this.#checkCommand(stream, event);
      this.#acknowledged.find(event);
      this.#delivered.find(event);
    }
  }

  /** The stream has no more events. */
  finish(stream: string): void {
    if (this.#acknowledged.has(stream)) this.lastVersions.set(stream, this.#walk.version);
    this.#walk = begin();
  }

  /** An event id that the store holds more than once. */
  duplicate(eventId: string, times: number): void {
    this.#duplicates.offend(`event ${eventId} is stored ${times} times`);
  }

  /** `duplicatesNote` says which events were not looked at for {@link duplicate}. */
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
    if (!owner || this.#walk.broken) return;
    const { version, hash } = this.#walk;
    const { end, broken } = checkChain(events, { version, hash }, owner, this.options.sha256);
    this.#walk.hash = end.hash;
    if (!broken) return;
    this.#walk.broken = true;
    this.#chains.offend(`${stream}: version ${broken.version}, ${broken.reason}`);
  }

  /** A command's events carry its key and their place in its answer. */
  #checkCommand(stream: string, event: StoredEvent): void {
    this.#duplicates.checked();
    const command = this.options.ownerOf(stream) && commandOf(event);
    if (command === undefined) return;
    if (this.#walk.commands.has(command))
      this.#duplicates.offend(`${stream}: version ${event.version} repeats a command`);
    this.#walk.commands.add(command);
  }
}

function begin(): Walk {
  return { version: 0, hash: null, broken: false, commands: new Set() };
}

function commandOf({ metadata }: StoredEvent): string | undefined {
  try {
    const { idempotency } = openEnvelope(metadata);
    return idempotency ? `${idempotency.key} ${idempotency.index}` : undefined;
  } catch {
    // The chain says so.
    return undefined;
  }
}
