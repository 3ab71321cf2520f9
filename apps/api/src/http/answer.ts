import { Readable } from 'node:stream';

import { FastifyAdapter } from '@nestjs/platform-fastify';

import { type LiveStream, type SnapshotTag } from '#application';

import { EventStreamBody, eventStreamMediaType } from './event-stream.js';
import { UnsentPieces } from './unsent-pieces.js';

/** Limit for the unsent bytes of long texts in one process. */
const maxUnsent = 256 * 1_048_576;

const unsent = new UnsentPieces(maxUnsent);

/** The answer of an endpoint: the body is sent as JSON; `undefined` sends no body. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** Content for many requests at the same time: it is serialized once, and they share the bytes. */
export class SharedAnswer extends Answer {
  get bytes(): Buffer {
    const { body } = this;
    if (typeof body !== 'object' || body === null) return Buffer.from(JSON.stringify(body));
    const bytes = sharedBytes.get(body) ?? Buffer.from(JSON.stringify(body));
    sharedBytes.set(body, bytes);
    return bytes;
  }
}

/** Entries live as long as the body is referenced elsewhere. */
const sharedBytes = new WeakMap<object, Buffer>();

/** Content that is not JSON, such as a page or metrics. */
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

/** Content that is sent while it is generated; an error truncates the response. */
export class StreamAnswer extends Answer {
  constructor(
    readonly chunks: AsyncIterable<string>,
    readonly mediaType: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(200, undefined, headers);
  }
}

/** A live stream of events, until the client disconnects. */
export class EventStreamAnswer extends Answer {
  constructor(readonly stream: LiveStream) {
    super(200, undefined, {
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
  }
}

/** Content of a known length that is sent in pieces, as fast as the client reads. */
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
type ReplyResult = ReturnType<FastifyAdapter['reply']>;

/** Sends {@link Answer}s, because Nest sends neither their headers nor a body that is JSON `null`. */
export class ApiAdapter extends FastifyAdapter {
  override reply(response: Reply, body: unknown, status?: number): ReplyResult {
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

/** An answer with content of a context at a version, for one audience, with its ETag. */
export function versioned({ version, tag }: SnapshotTag, body: unknown): Answer {
  return new Answer(200, body, { ETag: etagOf(version, tag) });
}

/** Like {@link versioned}, for content that many long polls may wait for. */
export function sharedVersioned({ version, tag }: SnapshotTag, body: unknown): Answer {
  return new SharedAnswer(200, body, { ETag: etagOf(version, tag) });
}

/** `tag` distinguishes copies for different audiences; null for the audience that sees everything. */
export function etagOf(version: number, tag: string | null = null): string {
  return tag === null ? `"${version}"` : `"${version}-${tag}"`;
}

/** The Notes header, or no header if there are no notes. */
export function noteHeaders(notes: readonly string[]): Readonly<Record<string, string>> {
  return notes.length > 0 ? { Notes: notes.join('; ') } : {};
}

function sendJson(response: FastifyReply, body: Answer): ReplyResult {
  if (body.body === undefined) return response.removeHeader('Cache-Control').send();
  const json = body instanceof SharedAnswer ? body.bytes : JSON.stringify(body.body);
  return response.type('application/json; charset=utf-8').send(json);
}

/** HEAD requests do not open a stream. */
function sendEvents(response: FastifyReply, { stream }: EventStreamAnswer): ReplyResult {
  response.type(eventStreamMediaType);
  if (response.request.method !== 'HEAD') return response.send(new EventStreamBody(stream));
  stream.close();
  return response.send('');
}

function sendPieces(response: FastifyReply, { pieces, mediaType }: PiecesAnswer): ReplyResult {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return response.type(mediaType).header('Content-Length', length).send(unsent.open(pieces));
}
