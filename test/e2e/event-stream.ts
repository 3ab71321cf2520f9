import { type IncomingMessage, request } from 'node:http';

import { waitFor } from '#testing';

import { rootKey } from './root-key.js';

/** A server-sent event, or a comment. */
export type Message = Readonly<{
  id?: string;
  event?: string;
  data?: ReturnType<typeof JSON.parse>;
  comment?: string;
}>;

type StreamOptions = Readonly<{
  key?: string;
  lastEventId?: string;
  headers?: Readonly<Record<string, string>>;
}>;

/** An open event stream of a server. */
export class EventStream {
  /** All text received so far. */
  text = '';
  /** The way in which the server ended the stream: with the end of the answer, or by breaking the connection. */
  end: 'ended' | 'broken' | undefined;

  private constructor(private readonly answer: IncomingMessage) {
    answer.setEncoding('utf8').on('data', (chunk: string) => void (this.text += chunk));
    answer.once('end', () => void (this.end ??= 'ended'));
    answer.once('error', () => void (this.end ??= 'broken'));
  }

  /** Resolves after the head of the answer; rejects if the answer is not a stream. */
  static open(url: string, options: StreamOptions = {}): Promise<EventStream> {
    const { key = rootKey, lastEventId, headers } = options;
    return new Promise((resolve, reject) => {
      const outgoing = request(url, {
        agent: false,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'text/event-stream',
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
          ...headers,
        },
      });
      outgoing.once('response', (answer) => {
        if (answer.statusCode === 200) resolve(new EventStream(answer));
        else {
          answer.resume();
          reject(new Error(`answered with ${answer.statusCode}`));
        }
      });
      outgoing.once('error', reject).end();
    });
  }

  get headers(): IncomingMessage['headers'] {
    return this.answer.headers;
  }

  /** The complete messages, without those that only have `retry`. */
  get messages(): readonly Message[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .map(parse)
      .filter((message) => Object.keys(message).length > 0);
  }

  get events(): readonly Message[] {
    return this.messages.filter(({ event }) => event === 'event');
  }

  get versions(): readonly number[] {
    return this.events.map(({ data }) => data.version);
  }

  get lastId(): string {
    return this.events.at(-1)?.id ?? '';
  }

  get reset(): string | undefined {
    return this.messages.find(({ event }) => event === 'reset')?.data.reason;
  }

  upToDate(): Promise<unknown> {
    return this.until('up-to-date', () =>
      this.messages.some(({ event }) => event === 'up-to-date'),
    );
  }

  /** Waits until this number of events has arrived. */
  async count(events: number): Promise<void> {
    await this.until(`${events} events`, () => this.events.length >= events);
  }

  async ended(): Promise<'ended' | 'broken'> {
    await this.until('the end of a stream', () => this.end !== undefined);
    return this.end ?? 'broken';
  }

  close(): void {
    this.answer.destroy();
  }

  private until(what: string, condition: () => boolean): Promise<unknown> {
    return waitFor(what, () => condition(), { until: (holds) => holds });
  }
}

function parse(block: string): Message {
  const lines = block.split('\n').map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
  });
  const fields = Object.fromEntries(lines);
  return {
    ...(fields['id'] !== undefined && { id: fields['id'] }),
    ...(fields['event'] !== undefined && { event: fields['event'] }),
    ...(fields['data'] !== undefined && { data: JSON.parse(fields['data']) }),
    ...(fields[''] !== undefined && { comment: fields[''] }),
  };
}
