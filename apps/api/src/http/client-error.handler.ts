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

/** Connections on which nothing more is parsed. */
const failed = new WeakSet<Duplex>();

/** Answers what never became a request: headers too large, no HTTP, too slow. */
export function handleClientError(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // Node reports every chunk that follows, too.
  if (failed.has(socket)) return;
  failed.add(socket);
  answerLast(socket, () => {
    socket.write(answerTo(error));
    // One that was too slow gets no more time.
    if (error.code === tooSlow) socket.destroySoon();
    else lingerOnConnection(socket, lingeringLimits);
  });
}

/** CONNECT asks for a tunnel; the server hands over its bare connection. */
export function refuseTunnel(_request: unknown, socket: Duplex): void {
  answerLast(socket, () => {
    socket.write(answerWith('not-found', 'this server is no proxy'));
    lingerOnConnection(socket, lingeringLimits);
  });
}

/** Clients take answers in the order of their requests. One whose body is what failed gets no other. */
function answerLast(socket: Duplex, answer: () => void): void {
  const waiting = unansweredOn(socket).filter(([{ complete }]) => complete);
  const [, last] = waiting.at(-1) ?? [];
  if (!last) return answer();
  last.once('close', () => {
    // The connection may have ended with that answer.
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
