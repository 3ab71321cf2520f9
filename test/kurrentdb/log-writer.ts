import { randomUUID } from 'node:crypto';

import { type AppendDecision, type ExpectedRevision, decideAppend } from './append-decision.js';
import { type EventLog } from './event-log.js';
import {
  type LogRecord,
  type NewEvent,
  int64Max,
  metaStreamOf,
  originalStreamOf,
} from './log-record.js';
import { LogView } from './log-view.js';
import { type RecentIds } from './recent-ids.js';

export type Refusal =
  | Readonly<{ outcome: 'wrong-expected-version'; current: bigint }>
  | Readonly<{ outcome: 'stream-deleted' }>;

export type AppendOutcome =
  | Readonly<{
      outcome: 'success';
      lastRevision: bigint;
      position: number | undefined;
      /** Whether the events existed before. */
      isRepeat: boolean;
    }>
  | Refusal;

export type DeleteOutcome = Readonly<{ outcome: 'success'; position: number }> | Refusal;

const metadataType = '$metadata';

/** The writes of the leader (StorageWriterService.cs). */
export class LogWriter {
  readonly #view: LogView;

  constructor(
    private readonly log: EventLog,
    private readonly recent: RecentIds,
  ) {
    this.#view = new LogView(log, () => Infinity);
  }

  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): AppendOutcome {
    const ids = events.map(({ id }) => id);
    const decision = this.#decide(stream, expected, ids);
    switch (decision.outcome) {
      case 'already-written':
        return this.#alreadyWritten(stream, decision.lastRevision);
      case 'write':
        return this.#write(stream, events, decision.isUndelete);
      case 'wrong-expected-version':
      case 'stream-deleted':
        return this.#refuse(stream, decision.outcome);
    }
  }

  softDelete(stream: string, expected: ExpectedRevision): DeleteOutcome {
    const decision = this.#decide(stream, expected, [randomUUID()]);
    if (decision.outcome !== 'write') return this.#refuse(stream, decision.outcome);
    const metaStream = metaStreamOf(stream);
    if (this.#view.lastRevision(stream) < 0n && this.#view.lastRevision(metaStream) < 0n)
      return { outcome: 'wrong-expected-version', current: -1n };
    const { position } = this.#writeMetadata(stream, `{"$tb":${int64Max}}`);
    return { outcome: 'success', position };
  }

  tombstone(stream: string, expected: ExpectedRevision): DeleteOutcome {
    const decision = this.#decide(stream, expected, [randomUUID()]);
    if (decision.outcome !== 'write') return this.#refuse(stream, decision.outcome);
    const { position } = this.log.write(stream, int64Max, newSystemEvent('$streamDeleted', ''));
    return { outcome: 'success', position };
  }

  /** Writes of the server itself, without checks. */
  writeSystemEvent(stream: string, type: string, data: string): void {
    this.#writeNext(stream, newSystemEvent(type, data));
  }

  #decide(stream: string, expected: ExpectedRevision, ids: readonly string[]): AppendDecision {
    const view = this.#view;
    return decideAppend(
      {
        current: this.#current(stream),
        isSoftDeleted: view.isSoftDeleted(stream),
        hasMetadata: view.lastRevision(metaStreamOf(stream)) >= 0n,
        idAt: (revision) => view.record(stream, revision)?.id,
        recentRevision: (id) => this.recent.revisionOf(id, stream),
      },
      expected,
      ids,
    );
  }

  #write(stream: string, events: readonly NewEvent[], isUndelete: boolean): AppendOutcome {
    const current = this.#current(stream);
    const original = originalStreamOf(stream);
    const undeletesOriginal = original !== undefined && this.#view.isSoftDeleted(original);
    let last: LogRecord | undefined;
    for (const event of events) last = this.#writeNext(stream, event);
    if (isUndelete) this.#undelete(stream, current + 1n);
    if (undeletesOriginal) this.#undelete(original, this.#view.lastRevision(original) + 1n);
    return {
      outcome: 'success',
      lastRevision: last?.revision ?? current,
      position: last?.position,
      isRepeat: false,
    };
  }

  /**
   * IndexWriter.cs: the position of the last event that was compared. So a retry of the first k events of a larger
   * append returns the position of the k-th; there is none if that event is no longer readable.
   */
  #alreadyWritten(stream: string, lastRevision: bigint): AppendOutcome {
    const isReadable =
      !this.#view.isSoftDeleted(stream) && lastRevision >= this.#view.firstVisible(stream);
    const position = isReadable ? this.#view.record(stream, lastRevision)?.position : undefined;
    return { outcome: 'success', lastRevision, position, isRepeat: true };
  }

  /** StorageWriterService.cs, SoftUndeleteRawMeta: the same metadata with another $tb. */
  #undelete(stream: string, firstRevision: bigint): void {
    const meta = metaStreamOf(stream);
    const raw = this.#view.record(meta, this.#view.lastRevision(meta));
    if (!raw) return;
    try {
      const metadata: Record<string, unknown> = JSON.parse(new TextDecoder().decode(raw.data));
      this.#writeMetadata(stream, JSON.stringify({ ...metadata, $tb: Number(firstRevision) }));
    } catch {
      // Like the server: metadata that is not JSON is not changed.
    }
  }

  #writeMetadata(stream: string, json: string): LogRecord {
    return this.#writeNext(metaStreamOf(stream), newSystemEvent(metadataType, json));
  }

  #writeNext(stream: string, event: NewEvent): LogRecord {
    const revision = this.#current(stream) + 1n;
    this.recent.remember(event.id, { stream, revision });
    return this.log.write(stream, revision, event);
  }

  #refuse(stream: string, outcome: Exclude<AppendDecision['outcome'], 'write'>): Refusal {
    return outcome === 'stream-deleted'
      ? { outcome }
      : { outcome: 'wrong-expected-version', current: this.#current(stream) };
  }

  /**
   * IndexWriter.cs: the writer caches the revisions of written streams, and reads others from the index. So metadata is
   * still accepted for a stream with a tombstone that had metadata before, although no read returns it.
   */
  #current(stream: string): bigint {
    const written = this.#view.lastWrittenRevision(stream);
    return written < 0n ? this.#view.lastRevision(stream) : written;
  }
}

function newSystemEvent(type: string, data: string): NewEvent {
  return {
    id: randomUUID(),
    type,
    isJson: true,
    data: new TextEncoder().encode(data),
    metadata: new Uint8Array(),
  };
}
