import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';

import { type ProblemCode } from '../problems/problem-code.js';
import { problemTable } from '../problems/problem-table.js';
import { toProblem } from '../problems/to-problem.js';
import { lingeringLimits, lingerOnConnection, unansweredOn } from './connections.js';

const tooSlow = 'ERR_HTTP_REQUEST_TIMEOUT';

type ClientError = Error & Readonly<{ code?: string }>;

/** Connections that failed already; their further input is ignored. */
const failed = new WeakSet<Duplex>();

/** Answers input that Node could not parse as a request: too large headers, not HTTP, or too slow. */
export function handleClientError(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // Node also reports every later chunk.
  if (failed.has(socket)) return;
  failed.add(socket);
  answerLast(socket, () => {
    socket.write(answerTo(error));
    // A client that was too slow gets no more time.
    if (error.code === tooSlow) socket.destroySoon();
    else lingerOnConnection(socket, lingeringLimits);
  });
}

/** Refuses a CONNECT request; Node passes the bare connection. */
export function refuseTunnel(_request: unknown, socket: Duplex): void {
  answerLast(socket, () => {
    socket.write(answerWith('not-found', 'this server is not a proxy'));
    lingerOnConnection(socket, lingeringLimits);
  });
}

/** Sends the answer after those of earlier requests. A request whose own body failed gets only this answer. */
function answerLast(socket: Duplex, answer: () => void): void {
  const waiting = unansweredOn(socket).filter(([{ complete }]) => complete);
  const [, last] = waiting.at(-1) ?? [];
  if (!last) return answer();
  last.once('close', () => {
    // That answer may have closed the connection.
    if (socket.writable) answer();
  });
}

function answerTo({ code }: ClientError): string {
  return answerWith(...findProblem(code));
}

function answerWith(problem: ProblemCode, detail: string): string {
  const { status } = problemTable[problem];
  const body = JSON.stringify(toProblem({ code: problem, detail }, '/'));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Cache-Control: private, no-cache',
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    '',
    body,
  ].join('\r\n');
}

function findProblem(code: string | undefined): [ProblemCode, string] {
  switch (code) {
    case tooSlow:
      return ['request-timeout', 'the request did not arrive in time'];
    case 'HPE_HEADER_OVERFLOW':
      return ['invalid-header', 'the headers exceed 16 KiB'];
    case 'HPE_INVALID_CONTENT_LENGTH':
      return ['invalid-header', 'Content-Length is malformed'];
    case 'HPE_UNEXPECTED_CONTENT_LENGTH':
      return ['invalid-header', 'Content-Length is sent more than once or with Transfer-Encoding'];
    case 'HPE_INVALID_TRANSFER_ENCODING':
      return ['invalid-header', 'Transfer-Encoding is malformed or sent more than once'];
    case undefined:
    default:
      return ['invalid-header', 'this is not a well-formed HTTP request'];
  }
}
