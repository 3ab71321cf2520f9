import { randomInt } from 'node:crypto';
import { Readable } from 'node:stream';

import { type LiveStream, type StreamFrame } from '#application';
import { type JsonObject } from '#event-sourcing';

export const eventStreamMediaType = 'text/event-stream; charset=utf-8';

/**
 * Counted from the start of each stream, whatever is sent meanwhile. A reader that has taken nothing from one ping to the next is
 * disconnected.
 */
const pingMs = 15_000;
/** When a client comes back, at random so that not all of them come at once. */
const retryMs = [1_000, 3_000] as const;
/** A piece that has not been taken holds the next one back. */
const highWaterMark = 1;

const encoded = new WeakMap<JsonObject, Readonly<{ id: string; bytes: Buffer }>>();

/**
 * The body of a live stream in the format of server-sent events. It holds at most one event and one ping that its reader has not taken.
 */
export class EventStreamBody extends Readable {
  readonly #timer: NodeJS.Timeout;
  #isBegun = false;
  #onRead: (() => void) | undefined;
  #pushed = 0;
  #pushedAtPing = 0;

  constructor(
    private readonly stream: LiveStream,
    everyMs = pingMs,
  ) {
    super({ highWaterMark });
    this.#timer = setInterval(() => this.#ping(), everyMs);
    // What has been read for its key may not follow when its reader is ready again.
    stream.signal.addEventListener('abort', () => this.#cutIfBlocked(), { once: true });
  }

  override _read(): void {
    const resume = this.#onRead;
    this.#onRead = undefined;
    resume?.();
    if (this.#isBegun) return;
    this.#isBegun = true;
    void this.#sendAll();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#timer);
    this.#onRead?.();
    this.stream.close();
    // A read under way ends first; nobody waits for what it finds.
    this.stream.frames.return().catch(() => undefined);
    done(error);
  }

  async #sendAll(): Promise<void> {
    try {
      await this.#send(`retry: ${randomInt(...retryMs)}\n\n`);
      for await (const frame of this.stream.frames) {
        await this.#send(encode(frame));
        if (this.destroyed) return;
      }
      this.push(null);
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Resolves once the reader takes more. */
  async #send(piece: Buffer | string): Promise<void> {
    this.#pushed++;
    if (this.push(piece) || this.destroyed) return;
    await new Promise<void>((resolve) => (this.#onRead = resolve));
  }

  #ping(): void {
    if (this.readableLength === 0) {
      this.#pushed++;
      this.push(': ping\n\n');
    } else if (this.#pushed === this.#pushedAtPing) {
      this.destroy(new Error('the reader of a stream took nothing for too long'));
    }
    this.#pushedAtPing = this.#pushed;
  }

  #cutIfBlocked(): void {
    if (this.readableLength > 0) this.destroy();
  }
}

function encode(frame: StreamFrame): Buffer | string {
  switch (frame.type) {
    case 'event':
      return encodeEvent(frame);
    case 'up-to-date':
      return `${frame.id === undefined ? '' : `id: ${frame.id}\n`}event: up-to-date\ndata: {}\n\n`;
    case 'reset':
      return `event: reset\ndata: ${JSON.stringify({ reason: frame.reason })}\n\n`;
  }
}

/** Streams that share a read share the bytes. */
function encodeEvent({ id, data }: Extract<StreamFrame, { type: 'event' }>): Buffer {
  const known = encoded.get(data);
  if (known?.id === id) return known.bytes;
  const bytes = Buffer.from(`id: ${id}\nevent: event\ndata: ${JSON.stringify(data)}\n\n`);
  encoded.set(data, { id, bytes });
  return bytes;
}
