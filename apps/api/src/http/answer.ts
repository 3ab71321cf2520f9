import { Readable } from 'node:stream';

import { FastifyAdapter } from '@nestjs/platform-fastify';

import { type LiveStream, type SnapshotTag } from '#application';

import { EventStreamBody, eventStreamMediaType } from './event-stream.js';
import { UnsentPieces } from './unsent-pieces.js';

/** Limit of what readers of long texts have not taken yet, in one process. */
const maxUnsent = 256 * 1_048_576;

const unsent = new UnsentPieces(maxUnsent);

/** What an endpoint answers: the body is sent as JSON, `undefined` sends none. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** Content that answers many requests at a time: its JSON is made once, and they share its bytes. */
export class SharedAnswer extends Answer {
  get bytes(): Buffer {
    const { body } = this;
    if (typeof body !== 'object' || body === null) return Buffer.from(JSON.stringify(body));
    const bytes = sharedBytes.get(body) ?? Buffer.from(JSON.stringify(body));
    sharedBytes.set(body, bytes);
    return bytes;
  }
}

/** As long as somebody has the body. */
const sharedBytes = new WeakMap<object, Buffer>();

/** Content that is not JSON: a page, metrics. */
export class TextAnswer extends Answer {
  constructor(
    readonly text: string,
    readonly mediaType: string,
    headers: Readonly<Record<string, string>> = {},
    status = 200,
  ) {
    super(status, undefined, headers);
  }
}

/** Content that is sent while it is made: if making it fails, the answer breaks off. */
export class StreamAnswer extends Answer {
  constructor(
    readonly chunks: AsyncIterable<string>,
    readonly mediaType: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(200, undefined, headers);
  }
}

/** Events as they happen, as long as somebody follows them. */
export class EventStreamAnswer extends Answer {
  constructor(readonly stream: LiveStream) {
    super(200, undefined, {
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
  }
}

/** Content of a known length that is sent piece by piece, as fast as its reader takes it. */
export class PiecesAnswer extends Answer {
  constructor(
    readonly pieces: readonly Buffer[],
    readonly mediaType: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(200, undefined, headers);
  }
}

type Reply = Parameters<FastifyAdapter['reply']>[0];
type FastifyReply = Extract<Reply, { code: unknown }>;
type Sent = ReturnType<FastifyAdapter['reply']>;

/** Sends {@link Answer}s: Nest itself sends neither their headers nor a body that is JSON `null`. */
export class ApiAdapter extends FastifyAdapter {
  override reply(response: Reply, body: unknown, status?: number): Sent {
    if (!(body instanceof Answer) || !('code' in response))
      return super.reply(response, body, status);
    response.code(body.status).headers(body.headers);
    if (body instanceof TextAnswer) return response.type(body.mediaType).send(body.text);
    if (body instanceof PiecesAnswer) return sendPieces(response, body);
    if (body instanceof EventStreamAnswer) return sendEvents(response, body);
    if (body instanceof StreamAnswer)
      return response.type(body.mediaType).send(Readable.from(body.chunks));
    return sendJson(response, body);
  }
}

/** Content of a context at a version, for one audience. */
export function versioned({ version, tag }: SnapshotTag, body: unknown): Answer {
  return new Answer(200, body, { ETag: etagOf(version, tag) });
}

/** The same of what many may have waited for. */
export function sharedVersioned({ version, tag }: SnapshotTag, body: unknown): Answer {
  return new SharedAnswer(200, body, { ETag: etagOf(version, tag) });
}

/** `tag` tells copies for different audiences apart; null for the one that sees everything. */
export function etagOf(version: number, tag: string | null = null): string {
  return tag === null ? `"${version}"` : `"${version}-${tag}"`;
}

/** What a reader should know beside the text, where there is anything. */
export function noteHeaders(notes: readonly string[]): Readonly<Record<string, string>> {
  return notes.length > 0 ? { Notes: notes.join('; ') } : {};
}

function sendJson(response: FastifyReply, body: Answer): Sent {
  if (body.body === undefined) return response.removeHeader('Cache-Control').send();
  const json = body instanceof SharedAnswer ? body.bytes : JSON.stringify(body.body);
  return response.type('application/json; charset=utf-8').send(json);
}

/** HEAD is answered without opening a stream. */
function sendEvents(response: FastifyReply, { stream }: EventStreamAnswer): Sent {
  response.type(eventStreamMediaType);
  if (response.request.method !== 'HEAD') return response.send(new EventStreamBody(stream));
  stream.close();
  return response.send('');
}

function sendPieces(response: FastifyReply, { pieces, mediaType }: PiecesAnswer): Sent {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return response.type(mediaType).header('Content-Length', length).send(unsent.open(pieces));
}
