import { type EventsJsonlWriter, type ExportedEvent, type SignedHead } from '#interop';

import { type ExportSignatures } from './export-signatures.js';

/** A signature is due after this many bytes. A line has less than 4 MiB, so signatures are at most 8 MiB apart. */
const bytesToSign = 4 * 1_048_576;
/**
 * A signature is due after this many events, so that an import request, which ends at a signature, stores no more
 * events than it can in a few seconds.
 */
const eventsToSign = 5_000;

/** Writes the events of one context as lines, with signatures after some of them and after the last. */
export class SignedLines {
  #bytes = 0;
  #events = 0;
  #unsigned: SignedHead | undefined;

  constructor(
    private readonly writer: EventsJsonlWriter,
    private readonly signatures: ExportSignatures,
  ) {}

  event(event: ExportedEvent, hash: string): string {
    const line = this.writer.event(event, hash);
    const { workspace, contextId, version } = event;
    this.#unsigned = { workspace, contextId, version, hash };
    this.#bytes += Buffer.byteLength(line);
    this.#events++;
    const isDue = this.#bytes >= bytesToSign || this.#events >= eventsToSign;
    return isDue ? line + this.end() : line;
  }

  /** The line with the signature of the last event; empty if it is already signed. */
  end(): string {
    const place = this.#unsigned;
    [this.#bytes, this.#events, this.#unsigned] = [0, 0, undefined];
    return place ? this.writer.signature(this.signatures.sign(place)) : '';
  }
}
