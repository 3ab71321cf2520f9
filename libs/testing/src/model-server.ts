import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

import { z } from 'zod';

const asked = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

/** What a model was asked: by which protocol, with which headers, and the text that is to be summarized. */
export type ModelCall = Readonly<{
  path: string;
  headers: IncomingMessage['headers'];
  body: z.output<typeof asked>;
  material: string;
}>;

/** What comes back: text, in the words of the protocol it was asked in, something else, or nothing for ever. */
export type ModelReply =
  | Readonly<{ says: string }>
  | Readonly<{ status?: number; headers?: Readonly<Record<string, string>>; text: string }>
  | 'silence';

type Model = (call: ModelCall) => ModelReply | Promise<ModelReply>;

/** A service of models of a test, on 127.0.0.1, which speaks as OpenAI and as Anthropic do. */
export class ModelServer {
  url = '';
  readonly calls: ModelCall[] = [];
  model: Model = () => ({ says: 'Nothing much happened.' });

  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  static async open(): Promise<ModelServer> {
    const opened = new ModelServer();
    opened.#server.listen(0, '127.0.0.1');
    await once(opened.#server, 'listening');
    // A server that listens on TCP has an address of this shape.
    const { port } = opened.#server.address() as AddressInfo;
    opened.url = `http://127.0.0.1:${port}`;
    return opened;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', headers } = request;
    const text = (await request.setEncoding('utf8').toArray()).join('');
    const body = asked.parse(JSON.parse(text));
    const call = { path, headers, body, material: body.messages.at(-1)?.content ?? '' };
    this.calls.push(call);
    const reply = await this.model(call);
    if (reply === 'silence') return;
    const { status = 200, ...said } =
      'says' in reply ? { headers: {}, text: spoken(path, reply.says) } : reply;
    response.writeHead(status, { 'content-type': 'application/json', ...said.headers });
    response.end(said.text);
  }
}

function spoken(path: string, text: string): string {
  return JSON.stringify(
    path.endsWith('/v1/messages')
      ? { content: [{ type: 'text', text }], usage: { input_tokens: 1200, output_tokens: 34 } }
      : {
          choices: [{ message: { role: 'assistant', content: text } }],
          usage: { prompt_tokens: 1200, completion_tokens: 34 },
        },
  );
}
