import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

import { z } from 'zod';

const modelRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

/** A request to a model: its protocol, its headers, and the text to summarize. */
export type ModelCall = Readonly<{
  path: string;
  headers: IncomingMessage['headers'];
  body: z.output<typeof modelRequest>;
  material: string;
}>;

/** The response: text in the format of the requested protocol, other content, or no response at all. */
export type ModelReply =
  | Readonly<{ says: string }>
  | Readonly<{ status?: number; headers?: Readonly<Record<string, string>>; text: string }>
  | 'silence';

type Model = (call: ModelCall) => ModelReply | Promise<ModelReply>;

/** A model service for tests on 127.0.0.1 that implements the protocols of OpenAI and Anthropic. */
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
    // A TCP server that is listening has an address of this type.
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
    const body = modelRequest.parse(JSON.parse(text));
    const call = { path, headers, body, material: body.messages.at(-1)?.content ?? '' };
    this.calls.push(call);
    const reply = await this.model(call);
    if (reply === 'silence') return;
    const { status = 200, ...content } =
      'says' in reply ? { headers: {}, text: protocolText(path, reply.says) } : reply;
    response.writeHead(status, { 'content-type': 'application/json', ...content.headers });
    response.end(content.text);
  }
}

function protocolText(path: string, text: string): string {
  return JSON.stringify(
    path.endsWith('/v1/messages')
      ? { content: [{ type: 'text', text }], usage: { input_tokens: 1200, output_tokens: 34 } }
      : {
          choices: [{ message: { role: 'assistant', content: text } }],
          usage: { prompt_tokens: 1200, completion_tokens: 34 },
        },
  );
}
