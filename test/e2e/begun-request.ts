import { connect } from 'node:net';

export type BegunRequest = Readonly<{
  /** Sends what is left and reads the answer to its end. */
  finish: (rest?: string) => Promise<string>;
}>;

const answered = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

/**
 * Sends the beginning of a request, and resolves once the server is known to have read it: it came in one piece with
 * a request that has been answered.
 */
export async function beginRequest(url: string, beginning: string): Promise<BegunRequest> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const chunks: AsyncIterator<string> = socket[Symbol.asyncIterator]();
  socket.write(answered + beginning);
  const first = await readAnswer(chunks, '');
  return {
    finish: async (rest = '') => {
      socket.write(rest);
      const answer = await readAnswer(chunks, first.beyond);
      socket.destroy();
      return answer.text;
    },
  };
}

/** One answer, and what came behind it. */
async function readAnswer(chunks: AsyncIterator<string>, received: string) {
  let text = received;
  for (;;) {
    const end = endOfAnswer(text);
    if (end !== undefined) return { text: text.slice(0, end), beyond: text.slice(end) };
    const { value, done } = await chunks.next();
    if (done) throw new Error('the connection ended without an answer');
    text += value;
  }
}

/** The answers read here are ASCII, so that characters are bytes. */
function endOfAnswer(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(text.slice(0, head + 2))?.[1];
  if (head === -1 || length === undefined) return undefined;
  const end = head + 4 + Number(length);
  return text.length >= end ? end : undefined;
}
