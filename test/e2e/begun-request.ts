import { connect } from 'node:net';

export type BegunRequest = Readonly<{
  /** Sends the rest of the request and reads its answer. */
  finish: (rest?: string) => Promise<string>;
}>;

const completeRequest = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

/**
 * Sends the beginning of a request. Resolves once the server has read it: one write contains it and a complete request,
 * and the complete request is answered.
 */
export async function beginRequest(url: string, beginning: string): Promise<BegunRequest> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const chunks: AsyncIterator<string> = socket[Symbol.asyncIterator]();
  socket.write(completeRequest + beginning);
  const first = await readAnswer(chunks, '');
  return {
    finish: async (rest = '') => {
      socket.write(rest);
      const answer = await readAnswer(chunks, first.remainder);
      socket.destroy();
      return answer.text;
    },
  };
}

/** Reads one answer; `remainder` is the text received after it. */
async function readAnswer(chunks: AsyncIterator<string>, received: string) {
  let text = received;
  for (;;) {
    const end = endOfAnswer(text);
    if (end !== undefined) return { text: text.slice(0, end), remainder: text.slice(end) };
    const { value, done } = await chunks.next();
    if (done) throw new Error('the connection ended without an answer');
    text += value;
  }
}

/** Assumes ASCII, so that the number of characters is the number of bytes. */
function endOfAnswer(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(text.slice(0, head + 2))?.[1];
  if (head === -1 || length === undefined) return undefined;
  const end = head + 4 + Number(length);
  return text.length >= end ? end : undefined;
}
