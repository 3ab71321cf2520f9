import { connect } from 'node:net';

import { type Reply } from './throughline-server.js';

/** Sends bytes no client library would, and reads the one answer that comes before the connection ends. */
export async function sendRaw(url: string, message: string): Promise<Reply> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // What the server does not read any more may come back as a reset; the answer is in by then.
  socket.on('error', () => undefined);
  socket.write(message);
  const answer = await new Promise<string>((resolve, reject) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      received += part;
      if (isWhole(received)) resolve(received);
    });
    socket.on('close', () => (received ? resolve(received) : reject(new Error('no answer'))));
  });
  socket.destroy();
  return parse(answer);
}

function isWhole(answer: string): boolean {
  const [head = '', body] = answer.split('\r\n\r\n', 2);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

function parse(answer: string): Reply {
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  const [line = '', ...rest] = head.split('\r\n');
  const headers = Object.fromEntries(
    rest.map((header) => [
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
