export type SseMessage = Readonly<{
  event: string;
  data: string;
  /** The last id of the stream, or undefined before the first one. */
  id: string | undefined;
}>;

/**
 * Parses `text/event-stream` by the HTML standard (9.2.6), for any boundaries of pieces: lines end with LF, CR or CRLF, and the
 * stream may begin with a byte order mark. Buffers at most one message of at most `maxCharacters`.
 */
export class SseParser {
  /** The time that the stream requests before a reconnect. */
  retryMs: number | undefined;
  #id: string | undefined;
  #event = '';
  #data: string[] = [];
  #size = 0;
  #line = '';
  #afterReturn = false;
  readonly #decoder = new TextDecoder();

  constructor(private readonly maxCharacters: number = 32 * 2 ** 20) {}

  /** Returns the messages that these bytes complete. Throws a `RangeError` if a message is too long. */
  push(bytes: Uint8Array): SseMessage[] {
    const messages: SseMessage[] = [];
    const decoded = this.#decoder.decode(bytes, { stream: true });
    if (decoded === '') return messages;
    // The LF belongs to the CR at the end of the previous piece.
    const text = this.#afterReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#afterReturn = decoded.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    for (const [index, part] of lines.entries()) {
      this.#line += part;
      if (index === lines.length - 1) break;
      const message = this.#readLine(this.#line);
      this.#line = '';
      if (message) messages.push(message);
    }
    if (this.#size + this.#line.length > this.maxCharacters)
      throw new RangeError(
        `a message of the stream has more than ${this.maxCharacters} characters`,
      );
    return messages;
  }

  #readLine(line: string): SseMessage | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    this.#readField(field, value);
    return undefined;
  }

  #readField(field: string, value: string): void {
    if (field === 'data') {
      this.#data.push(value);
      this.#size += value.length + 1;
    } else if (field === 'event') this.#event = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
  }

  #dispatch(): SseMessage | undefined {
    const [event, data] = [this.#event || 'message', this.#data];
    [this.#event, this.#data, this.#size] = ['', [], 0];
    return data.length === 0 ? undefined : { event, data: data.join('\n'), id: this.#id };
  }
}
