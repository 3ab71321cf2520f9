import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';

import { type FastifyReply, type FastifyRequest } from 'fastify';

const mebibyte = 1_048_576;

/** Limits for reading from a connection after its last answer. */
export type LingeringLimits = Readonly<{ bytes: number; ms: number }>;

/** Twice the largest body, so that a client that exceeds the limit slightly still reads why it was refused. */
export const lingeringLimits: LingeringLimits = { bytes: 32 * mebibyte, ms: 30_000 };

/** The bytes of a body that are often still in transit after the headers were checked. */
const maxAwaitedBytes = 65_536;

const closing = new WeakSet<Duplex>();

/** The unanswered requests of each connection, oldest first. */
const unanswered = new WeakMap<Duplex, Map<IncomingMessage, ServerResponse>>();

/** Listener for the `request` event of a server; records unanswered requests. */
export function noteRequest(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const waiting = unanswered.get(socket) ?? new Map<IncomingMessage, ServerResponse>();
  unanswered.set(socket, waiting.set(request, response));
  response.once('close', () => waiting.delete(request));
}

/** The unanswered requests of a connection, oldest first. */
export function unansweredOn(
  socket: Duplex,
): readonly (readonly [IncomingMessage, ServerResponse])[] {
  return [...(unanswered.get(socket) ?? [])];
}

/** A signal that aborts if the client disconnects before it has the complete answer; already aborted if it has disconnected. */
export function clientSignal(response: ServerResponse): AbortSignal {
  if (response.destroyed || response.socket?.destroyed) return AbortSignal.abort();
  const disconnect = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) disconnect.abort();
  });
  return disconnect.signal;
}

/** Closes the connection after an answer if the server is stopping, or if the body of the request was not read. */
export function closeHook(changes: Readonly<{ stopping: boolean }>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (changes.stopping) reply.header('Connection', 'close');
    closeUnlessRead(request, reply);
  };
}

/**
 * Closes the connection after this answer if the body of the request is large and has not arrived completely. Reads more of the body
 * first: with unread bytes the close becomes a reset, which can reach the client before it has read the answer.
 */
export function closeUnlessRead({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || isSmall(raw)) return;
  reply.header('Connection', 'close');
  lingerAfterAnswer(raw, lingeringLimits);
}

/** Ignores requests after the last answer of a connection. */
export async function ignoreAfterCloseHook(
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (closing.has(raw.socket)) reply.hijack();
}

/** Delays the close after an unsent HTTP answer with `Connection: close`. */
export function lingerAfterAnswer(request: IncomingMessage, { bytes, ms }: LingeringLimits): void {
  const { socket } = request;
  if (closing.has(socket)) return;
  closing.add(socket);
  const close = socket.destroySoon.bind(socket);
  discard(request, socket, bytes);
  // Node calls this after it has sent the answer.
  socket.destroySoon = () => {
    if (request.readableEnded) return close();
    socket.end();
    request.once('end', close);
    destroyAfter(socket, ms);
  };
}

/** Delays the close after an answer that was written directly to the connection, which Node's HTTP no longer reads. */
export function lingerOnConnection(socket: Duplex, { bytes, ms }: LingeringLimits): void {
  socket.removeAllListeners('data');
  // The client may disconnect at any time; an error without a listener would end this process.
  socket.on('error', () => undefined);
  discard(socket, socket, bytes);
  socket.once('end', () => socket.destroy());
  socket.end();
  destroyAfter(socket, ms);
}

/**
 * The open connections of a server that listens with {@link noteRequest}. Node regards a connection as busy until its first request has
 * arrived completely; a stopping server would wait for it in vain.
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
  let remaining = bytes;
  source.on('data', (chunk: Buffer) => {
    remaining -= chunk.byteLength;
    if (remaining < 0) socket.destroy();
  });
}

function destroyAfter(socket: Duplex, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(timer));
}

/** Node discards the rest of a small body itself, and the connection can be reused. */
function isSmall({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return headers['transfer-encoding'] === undefined && length <= maxAwaitedBytes;
}
