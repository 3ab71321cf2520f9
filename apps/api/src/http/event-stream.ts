import { randomInt } from 'node:crypto';
import { Readable } from 'node:stream';

import { type LiveStream, type StreamFrame } from '#application';
import { type JsonObject } from '#event-sourcing';

export const eventStreamMediaType = 'text/event-stream; charset=utf-8';

/**
 * Pings are sent at this interval from the start of each stream, also between events. A client that has read nothing between two pings
 * is disconnected.
 */
const pingMs = 15_000;
/** The range of the random delay before a client reconnects; random, so that clients do not reconnect at the same time. */
const retryMs = [1_000, 3_000] as const;
/** A piece that was not read delays the next one. */
const highWaterMark = 1;

const encoded = new WeakMap<JsonObject, Readonly<{ id: string; bytes: Buffer }>>();

/**
 * The body of a live stream in the format of server-sent events. Buffers at most one event and one ping that its client has not read.
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
    // Buffered events must not be sent after the stream was aborted, for example because its key was revoked.
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
    // A running read ends first; its result is discarded.
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

  /** Resolves when the client reads more. */
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
      this.destroy(new Error('the client of a live stream read nothing between two pings'));
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

/** Streams that share a read also share the encoded bytes. */
function encodeEvent({ id, data }: Extract<StreamFrame, { type: 'event' }>): Buffer {
  const cached = encoded.get(data);
  if (cached?.id === id) return cached.bytes;
  const bytes = Buffer.from(`id: ${id}\nevent: event\ndata: ${JSON.stringify(data)}\n\n`);
  encoded.set(data, { id, bytes });
  return bytes;
}
