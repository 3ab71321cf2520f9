import { Readable } from 'node:stream';

import { FastifyAdapter } from '@nestjs/platform-fastify';

import { UnsentPieces } from './unsent-pieces.js';
import {
  Answer,
  EventStreamAnswer,
  PiecesAnswer,
  SharedAnswer,
  StreamAnswer,
  TextAnswer,
} from './answer.js';
import { EventStreamBody, eventStreamMediaType } from './event-stream.js';

type Reply = Parameters<FastifyAdapter['reply']>[0];
type FastifyReply = Extract<Reply, { code: unknown }>;
type Sent = ReturnType<FastifyAdapter['reply']>;

/** What the readers of long texts have still to take in one process. */
const mostUnsent = 256 * 1_048_576;

const unsent = new UnsentPieces(mostUnsent);

/** Sends {@link Answer}s; Nest's own way knows neither our headers nor a body that is JSON `null`. */
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

function sendJson(response: FastifyReply, body: Answer): Sent {
  if (body.body === undefined) return response.removeHeader('Cache-Control').send();
  const json = body instanceof SharedAnswer ? body.bytes : JSON.stringify(body.body);
  return response.type('application/json; charset=utf-8').send(json);
}

/** The head of a stream alone is answered without opening one. */
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
