import { type EventsJsonlWriter, type ExportedEvent, type SignedHead } from '#interop';

import { type ExportSignatures } from './export-signatures.js';

/** There is a signature at least every 8 MiB: two events have at most half of that. */
const bytesToSign = 4 * 1_048_576;
/** A request of an import ends at a signature, and stores no more events than it can in a few seconds. */
const eventsToSign = 5_000;

/** The events of one context as lines, with a signature behind some of them and behind the last. */
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

  /** The signature of the last event; empty if it is signed already. */
  end(): string {
    const place = this.#unsigned;
    [this.#bytes, this.#events, this.#unsigned] = [0, 0, undefined];
    return place ? this.writer.signature(this.signatures.sign(place)) : '';
  }
}
