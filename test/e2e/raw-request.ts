import { once } from 'node:events';
import { connect, Socket } from 'node:net';

import { type Reply } from './throughline-server.js';

/** Sends bytes that no client library sends, and reads the one answer before the connection ends. */
export async function sendRaw(url: string, message: string): Promise<Reply> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The server may reset the connection because of unread bytes; the answer has arrived before that.
  socket.on('error', () => undefined);
  socket.write(message);
  const answer = await new Promise<string>((resolve, reject) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      received += part;
      if (isComplete(received)) resolve(received);
    });
    socket.on('close', () => (received ? resolve(received) : reject(new Error('no answer'))));
  });
  socket.destroy();
  return parse(answer);
}

/** Sends everything before it reads; returns the answer up to the end of the connection. */
export async function sendBeforeReading(
  url: string,
  parts: readonly (string | Buffer)[],
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = new Socket().pause();
  socket.connect(Number(port), hostname);
  await once(socket, 'connect');
  for (const part of parts)
    await new Promise<void>((resolve, reject) => {
      socket.write(part, (error) => (error ? reject(error) : resolve()));
    });
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  const ended = once(socket, 'end');
  socket.resume();
  await ended;
  socket.end();
  return answer;
}

function isComplete(answer: string): boolean {
  const [head = '', body] = answer.split('\r\n\r\n', 2);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

function parse(answer: string): Reply {
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  const [line = '', ...headerLines] = head.split('\r\n');
  const headers = Object.fromEntries(
    headerLines.map((header) => [
      header.slice(0, header.indexOf(':')).toLowerCase(),
      header.slice(header.indexOf(':') + 1).trim(),
    ]),
  );
  return {
    status: Number(line.split(' ')[1]),
    headers,
    text: body,
    body: /json/.test(headers['content-type'] ?? '') ? JSON.parse(body) : undefined,
  };
}
