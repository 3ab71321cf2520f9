import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';

import { type FastifyReply, type FastifyRequest } from 'fastify';

const mebibyte = 1_048_576;

/** What the server still reads of a connection whose last answer has been sent. */
export type LingeringLimits = Readonly<{ bytes: number; ms: number }>;

/** Twice the largest body, so that whoever sends a little too much reads why it was refused. */
export const lingeringLimits: LingeringLimits = { bytes: 32 * mebibyte, ms: 30_000 };

/** As much as often is still on its way when the headers have been judged. */
const maxAwaitedBytes = 65_536;

const closing = new WeakSet<Duplex>();

/** The requests of each connection that are not answered yet, oldest first. */
const unanswered = new WeakMap<Duplex, Map<IncomingMessage, ServerResponse>>();

/** Listens to every request of a server. */
export function noteRequest(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const waiting = unanswered.get(socket) ?? new Map<IncomingMessage, ServerResponse>();
  unanswered.set(socket, waiting.set(request, response));
  response.once('close', () => waiting.delete(request));
}

/** The requests of a connection that are not answered yet, oldest first. */
export function unansweredOn(
  socket: Duplex,
): readonly (readonly [IncomingMessage, ServerResponse])[] {
  return [...(unanswered.get(socket) ?? [])];
}

/** Aborts if the client closes the connection before it has the whole answer; at once if it has done so already. */
export function clientSignal(response: ServerResponse): AbortSignal {
  if (response.destroyed || response.socket?.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Before an answer is sent: ends its connection if the server stops, or if the body of the request was not read. */
export function closeHook(changes: Readonly<{ stopping: boolean }>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (changes.stopping) reply.header('Connection', 'close');
    closeUnlessRead(request, reply);
  };
}

/**
 * Ends the connection with this answer if the body of its request is large and has not arrived in full. Goes on reading before it
 * closes: unread bytes would make the close a reset, which can reach the client before it has read the answer.
 */
export function closeUnlessRead({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || isSmall(raw)) return;
  reply.header('Connection', 'close');
  lingerAfterAnswer(raw, lingeringLimits);
}

/** A request that follows the last answer of a connection is not answered. */
export async function ignoreAfterCloseHook(
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (closing.has(raw.socket)) reply.hijack();
}

/** For an answer of Node's HTTP with `Connection: close` that has not been sent yet. */
export function lingerAfterAnswer(request: IncomingMessage, { bytes, ms }: LingeringLimits): void {
  const { socket } = request;
  if (closing.has(socket)) return;
  closing.add(socket);
  const close = socket.destroySoon.bind(socket);
  discard(request, socket, bytes);
  // Node calls this when it has sent the answer.
  socket.destroySoon = () => {
    if (request.readableEnded) return close();
    socket.end();
    request.once('end', close);
    destroyAfter(socket, ms);
  };
}

/** For an answer that was written to the connection itself: Node's HTTP reads nothing more from it. */
export function lingerOnConnection(socket: Duplex, { bytes, ms }: LingeringLimits): void {
  socket.removeAllListeners('data');
  // The client may go at any time; without a listener that would end this process.
  socket.on('error', () => undefined);
  discard(socket, socket, bytes);
  socket.once('end', () => socket.destroy());
  socket.end();
  destroyAfter(socket, ms);
}

/**
 * The open connections of a server that listens with {@link noteRequest}. Node regards a connection as busy before its first request has
 * arrived in full; a server that stops would wait for it in vain.
 */
export class OpenConnections {
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Ends connections without an unanswered request. */
  closeUnused(): void {
    for (const socket of this.#sockets) if (unansweredOn(socket).length === 0) socket.destroy();
  }
}

function discard(source: Duplex | IncomingMessage, socket: Duplex, bytes: number): void {
  let left = bytes;
  source.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) socket.destroy();
  });
}

function destroyAfter(socket: Duplex, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(timer));
}

/** Node reads the rest of such a body by itself, and the connection is good for another request. */
function isSmall({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return headers['transfer-encoding'] === undefined && length <= maxAwaitedBytes;
}
