import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { Throughline } from '@throughline/sdk';

import { type ToolContext } from './tool-context.js';
import { checkSubscriptions, StdioSubscriptions } from './stdio-subscriptions.js';

const unauthenticated = { type: '/problems/unauthenticated', title: 'No key', status: 401 };

/** A connection whose API answers reads of views after `answer` is called, and refuses reads of the context `revoked`. */
async function connect() {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const view = { text: 'a view', version: 1, receipt: 'r1.a', items: [] };
  const fetch = async (address: string, { signal }: Readonly<{ signal: AbortSignal }>) => {
    if (address.includes('/view?')) return (await promise).clone();
    if (address.includes('/revoked/')) return Response.json(unauthenticated, { status: 401 });
    return new Promise<never>((_resolve, reject) => signal.addEventListener('abort', reject));
  };
  const toolContext: ToolContext = {
    client: new Throughline({ url: 'http://127.0.0.1:1', fetch }),
    principal: { principal: 'a', agentId: 'a', audiences: ['all'], actsFor: [] },
    countTokens: (text) => text.length,
  };
  const subscriptions = new StdioSubscriptions(toolContext);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const received: JSONRPCMessage[] = [];
  const transport = checkSubscriptions(far, subscriptions, () => undefined);
  transport.onmessage = (message) => void received.push(message);
  await Promise.all([near.start(), transport.start()]);
  return { near, transport, received, subscriptions, answer: () => resolve(Response.json(view)) };
}

const listen = (id: number, contextId: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: [`throughline://${contextId}/view/all`] } },
});
const cancelled = (requestId: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

describe('subscriptions over standard input and output', () => {
  it('are not opened if they are cancelled during the check', async () => {
    const { near, received, subscriptions, answer } = await connect();
    await near.send(listen(1, 'a'));
    await near.send(cancelled(1));
    answer();
    await near.send(listen(2, 'b'));
    while (received.length < 2) await new Promise(setImmediate);
    expect(received).toEqual([cancelled(1), listen(2, 'b')]);
    subscriptions.end();
  });

  it('are completed when their key may no longer read', async () => {
    const { near, received, answer } = await connect();
    const sent: JSONRPCMessage[] = [];
    near.onmessage = (message) => void sent.push(message);
    answer();
    await near.send(listen(7, 'revoked'));
    while (received.length < 2) await new Promise(setImmediate);
    expect(received).toEqual([listen(7, 'revoked'), cancelled(7)]);
    expect(sent).toEqual([
      {
        jsonrpc: '2.0',
        id: 7,
        result: {
          resultType: 'complete',
          _meta: { 'io.modelcontextprotocol/subscriptionId': 7 },
        },
      },
    ]);
  });

  it.each([null, 1.5, true, { id: 1 }])('are refused under an id that is %j', async (id) => {
    const { near, received } = await connect();
    const sent = new Promise<JSONRPCMessage>((resolve) => {
      near.onmessage = resolve;
    });
    await near.send(Object.assign(listen(1, 'a'), { id }));
    expect(await sent).toEqual({
      jsonrpc: '2.0',
      error: { code: -32_600, message: 'Invalid Request' },
    });
    expect(received).toEqual([]);
  });

  it('are not opened by a notification, which has no answer', async () => {
    const { near, received } = await connect();
    const sent: JSONRPCMessage[] = [];
    near.onmessage = (message) => void sent.push(message);
    const notification: JSONRPCMessage = {
      jsonrpc: '2.0',
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: ['throughline://a/view/all'] } },
    };
    await near.send(notification);
    while (received.length < 1) await new Promise(setImmediate);
    expect([received, sent]).toEqual([[notification], []]);
  });

  it('do not report themselves that the connection has closed before the answer', async () => {
    const { near, transport, received, answer } = await connect();
    const reported = new Promise<Error>((resolve) => {
      transport.onerror = resolve;
    });
    answer();
    transport.onmessage = (message) => {
      received.push(message);
      if (received.length === 1) void near.close();
    };
    await near.send(listen(7, 'revoked'));
    expect((await reported).message).toMatch(/not connected/i);
  });

  it('end with a connection that ends during the check', async () => {
    const { subscriptions, answer } = await connect();
    const prepared = subscriptions.prepare(1, ['throughline://a/view/all']);
    subscriptions.end();
    answer();
    expect(await prepared).toBe('cancelled');
  });
});
