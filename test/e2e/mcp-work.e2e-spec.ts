import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { McpEndpoint, readPrincipal } from '@throughline/mcp';
import { Throughline } from '@throughline/sdk';

import { waitFor } from '#testing';

import { currentAnswer } from './caught-up.js';
import { type Transport, type Era, McpAgent } from './mcp-client.js';
import { throughlineOn } from './throughline-on.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
let initialized: ReturnType<typeof initialize>;
const agents: McpAgent[] = [];

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  initialized = initialize();
  // The tests that await it report its failure.
  initialized.catch(() => undefined);
}, 120_000);

afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  await server.stop();
});

async function agentOf(key: string, transport: Transport = 'http', era: Era = '2026-07-28') {
  const agent = await McpAgent.connect(server, { key, transport, era });
  agents.push(agent);
  return agent;
}

/** The URIs of the updates that the agent receives. */
function updatesOf({ client }: McpAgent): readonly string[] {
  const updates: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri);
  });
  return updates;
}

const viewOf = (contextId: string, audience: string) =>
  `throughline://${contextId}/view/${audience}`;

describe('the tool work', () => {
  const withApproval = {
    id: 'approved',
    steps: [
      { id: 'draft', type: 'agent', agent: 'writer', next: 'approve' },
      { id: 'approve', type: 'approval', on_approve: 'ship', on_reject: 'draft' },
      { id: 'ship', type: 'agent', agent: 'writer' },
    ],
  };

  it('claims and reports steps, but cannot decide approvals', async () => {
    const started = { definitionId: 'approved', input: 'a poem' };
    for (const [path, body] of [
      ['/v1/workflows', withApproval],
      ['/v1/contexts', { contextId: 'run' }],
      ['/v1/contexts/run/run', started],
    ] as const)
      expect(await server.post(path, body)).toMatchObject({ status: 201 });
    const writer = await agentOf(await server.key({ role: 'agent', agentId: 'writer' }));
    const step = await claim(writer);
    expect(step.text).toContain('a poem');
    const heartbeat = await writer.call('work', { action: 'heartbeat', attemptToken: step.token });
    expect(heartbeat.structured).toMatchObject({ cancelRequested: false, next: 'continue' });
    const done = { action: 'complete', attemptToken: step.token, output: '{"lines":4}' };
    const reported = await writer.call('work', done);
    expect(reported.structured).toMatchObject({ run: 'awaiting-approval' });
    expect(reported.structured?.['next']).toMatch(/a person decides/);

    const { body } = await currentAnswer(() => server.get('/v1/approvals'));
    const [{ approvalId }] = body.items;
    const waiting = await writer.call('inbox');
    expect(waiting.text).toContain(`awaiting-approval \`${approvalId}\``);
    const { tools } = await writer.client.listTools();
    for (const { name } of tools) {
      const { text } = await writer.call(name, {
        contextId: 'run',
        id: approvalId,
        kind: 'question',
        value: 'approve',
        action: 'approve',
        items: [{ kind: 'approve', title: approvalId }],
      });
      expect([name, /approved/.test(text)]).toEqual([name, false]);
    }
    expect((await currentAnswer(() => server.get('/v1/approvals'))).body.items).toHaveLength(1);

    await server.post(`/v1/approvals/${encodeURIComponent(approvalId)}/approve`, { comment: 'Go' });
    const next = await claim(writer);
    expect(next.text).toContain('Go');
    const stale = await writer.call('work', { ...done, action: 'fail', reason: 'late' });
    expect(stale).toMatchObject({ isError: true });
    expect(stale.text).toMatch(/^stale-attempt: .*\n\n.*next: stop this step/s);
    const failed = { action: 'fail', attemptToken: next.token, reason: 'No printer' };
    expect((await writer.call('work', failed)).isError).toBe(false);
  });

  it('shows the receipt of a view only with the whole view', async () => {
    const view = { maxTokens: 2_000 };
    const registered = { name: 'Lector', role: 'reads', kind: 'llm', view };
    await server.call('PUT', '/v1/agents/lector', { body: registered });
    const steps = ['plan', 'draft'].map((id) => ({ id, type: 'agent', agent: 'lector' }));
    const [plan, draft] = steps;
    const definition = { id: 'two-steps', steps: [{ ...plan, next: 'draft' }, draft] };
    await server.post('/v1/workflows', definition);
    const key = await server.key({ role: 'agent', agentId: 'lector' });
    const lector = await McpAgent.inProcess(server, { key });
    agents.push(lector);
    const quagmires = 'quagmire '.repeat(30);
    const claimAfterPlan = async (contextId: string, maxTokens: number) => {
      const items = Array.from({ length: 15 }, (_, n) => ({
        kind: 'risk',
        body: `${n} ${quagmires}`,
      }));
      await lector.call('context_append', { contextId, create: contextId, items });
      const started = { definitionId: 'two-steps', input: 'a poem' };
      await server.post(`/v1/contexts/${contextId}/run`, started);
      const { token } = await claim(lector);
      const done = { action: 'complete', attemptToken: token, output: 'word '.repeat(5_000) };
      await lector.call('work', done);
      return claim(lector, { maxTokens });
    };
    const truncated = await claimAfterPlan('view-cut', 1_500);
    expect(truncated.text).not.toContain(quagmires.trim());
    expect(truncated.receipt).toBeUndefined();
    const complete = await claimAfterPlan('view-whole', 20_000);
    expect(complete.text).toContain(quagmires.trim());
    expect(complete.receipt).toMatch(/^r1\./);
  });

  async function claim(agent: McpAgent, given: object = {}) {
    const answer = await waitFor(
      'a step',
      () => agent.call('work', { action: 'claim', wait: 5, ...given }),
      { until: ({ text }) => text.includes('attemptToken') },
    );
    return { ...answer, token: /attemptToken: `([^`]+)`/.exec(answer.text)?.[1] };
  }
});

describe('a subscription', () => {
  it('reports changes that are visible to its audience, and no others', async () => {
    const contextId = await contextNamed('watched');
    const unfiltered = await agentOf(await server.key({ role: 'agent', agentId: 'builder' }));
    const reviewer = await agentOf(await reviewerKey());
    const [unfilteredUpdates, filteredUpdates] = [updatesOf(unfiltered), updatesOf(reviewer)];
    await unfiltered.client.listen({ resourceSubscriptions: [viewOf(contextId, 'all')] });
    const own = viewOf(contextId, 'reviewer');
    const { honoredFilter } = await reviewer.client.listen({ resourceSubscriptions: [own] });
    expect(honoredFilter.resourceSubscriptions).toEqual([own]);
    const path = `/v1/contexts/${contextId}`;
    await server.post(`${path}/step-outputs`, { stepId: 'build', output: 'hidden' });
    await waitFor('an update', () => Promise.resolve(unfilteredUpdates.length), {
      until: (n) => n === 1,
    });
    await server.post(`${path}/artifacts`, { artifactType: 'source', path: 'src/a.ts' });
    await waitFor('an update', () => Promise.resolve(unfilteredUpdates.length), {
      until: (n) => n === 2,
    });
    await waitFor('an update', () => Promise.resolve(filteredUpdates.length), {
      until: (n) => n > 0,
    });
    expect(filteredUpdates).toEqual([own]);
  });

  it.each([
    ['http', '2026-07-28'],
    ['stdio', '2026-07-28'],
    ['init', '2025-11-25'],
  ] as const)(
    'over %s (%s) is refused for URIs of others, there or not',
    async (transport, era) => {
      const contextId = await contextNamed(`foreign-${transport}-${era}`);
      const grant = { role: 'agent', agentId: 'reviewer', audiences: ['reviewer'] };
      const { keyId, secret: key } = (await server.post('/v1/keys', grant)).body;
      const reviewer =
        transport === 'init' ? await configuredByInit(key) : await agentOf(key, transport, era);
      const updates = updatesOf(reviewer);
      const subscribe = (...uris: string[]) =>
        era === '2026-07-28'
          ? reviewer.client.listen({ resourceSubscriptions: uris })
          : Promise.all(uris.map((uri) => reviewer.client.subscribeResource({ uri })));
      const own = viewOf(contextId, 'reviewer');
      const faults = new Set<string>();
      for (const uri of [
        viewOf(contextId, 'all'),
        viewOf(contextId, 'developer'),
        viewOf('nowhere', 'reviewer'),
        'inbox://builder',
        'throughline://%2e%2e/view/reviewer',
      ]) {
        const fault = await subscribe(own, uri).then(
          () => 'none',
          (error: Error) => error.message.replace(uri, '<uri>'),
        );
        faults.add(fault);
      }
      expect([...faults]).toEqual([expect.stringMatching(/not found/i)]);
      if (transport === 'http') return;
      const subscription = await subscribe(own);
      const path = `/v1/contexts/${contextId}`;
      await server.post(`${path}/step-outputs`, { stepId: 'build', output: 'hidden' });
      await server.post(`${path}/artifacts`, { artifactType: 'source', path: 'src/a.ts' });
      await waitFor('an update', () => Promise.resolve(updates.length), { until: (n) => n > 0 });
      expect(new Set(updates)).toEqual(new Set([own]));
      if (!('closed' in subscription)) return;
      await server.call('DELETE', `/v1/keys/${keyId}`);
      expect(await subscription.closed).toMatch(/graceful|remote/);
    },
  );

  it('loses no pending update if it is made twice', async () => {
    const contextId = await contextNamed('subscribed-twice');
    const agent = await agentOf(await reviewerKey(), 'stdio', '2025-11-25');
    const updates = updatesOf(agent);
    const uri = viewOf(contextId, 'reviewer');
    await agent.client.subscribeResource({ uri });
    for (const count of [1, 2]) {
      const artifact = { artifactType: 'source', path: `src/${count}.ts` };
      await server.post(`/v1/contexts/${contextId}/artifacts`, artifact);
      // Subscribes again while the first subscription waits before its next read.
      await agent.client.subscribeResource({ uri });
      await waitFor('an update', () => updates.length, { until: (n) => n >= count });
    }
  });

  it('ends when its key is revoked', async () => {
    const contextId = await contextNamed('revoked');
    const { body } = await server.post('/v1/keys', { role: 'agent', agentId: 'gone' });
    const agent = await agentOf(body.secret);
    const { closed } = await agent.client.listen({
      resourceSubscriptions: [viewOf(contextId, 'all')],
    });
    await server.call('DELETE', `/v1/keys/${body.keyId}`);
    expect(await closed).toMatch(/graceful|remote/);
  });

  it('ends at once if it requests lists only, which never change', async () => {
    const agent = await agentOf(await reviewerKey());
    const lists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const { honoredFilter, closed } = await agent.client.listen(lists);
    expect(honoredFilter).toEqual({});
    expect(await closed).toMatch(/graceful|remote/);
  });

  it('is closed if its client does not read, and can be opened again', async () => {
    const contextId = await contextNamed('unread');
    const uri = viewOf(contextId, 'all');
    const endpoint = new McpEndpoint({ maxSubscriptionsOfHolder: 1, maxUnread: 1 });
    const key = await server.key({ role: 'agent', agentId: 'slow' });
    const client = new Throughline({ url: server.url, key });
    const caller = { client, principal: await readPrincipal(client), holder: 'slow' };
    const listen = () => endpoint.fetch(listenRequest(), listenMessage(uri), caller);
    const unreadStream = await listen();
    expect(unreadStream.headers.get('content-type')).toBe('text/event-stream');
    expect(await (await listen()).json()).toMatchObject({
      error: { message: 'This key has 1 of at most 1 subscriptions open: end one first' },
    });
    await server.post(`/v1/contexts/${contextId}/records`, { kind: 'custom', body: 'news' });
    const again = await waitFor('a place', listen, {
      until: ({ headers }) => headers.get('content-type') === 'text/event-stream',
    });
    await expect(unreadStream.text()).rejects.toThrow(/too slow/);
    await again.body?.cancel();
    await endpoint.close();
  });
});

/** Headers and body of a subscription request, as clients of the stateless revision send it. */
const listenHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'subscriptions/listen',
};
const listenRequest = () =>
  new Request('http://127.0.0.1/mcp', { method: 'POST', headers: listenHeaders });
const listenMessage = (uri: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    notifications: { resourceSubscriptions: [uri] },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'e2e', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

describe('throughline init', () => {
  it('writes one block into AGENTS.md, and preserves all other text', async () => {
    const { written, writtenAgain } = await initialized;
    expect(written).toMatch(/^# Rules\n\nBe kind\.\n\n<!-- throughline:begin -->\n/);
    expect(writtenAgain).toBe(written);
  });
});

/**
 * The text that the command writes into a file, the first and the second time, and the configuration that it prints.
 */
async function initialize() {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-init-'));
  try {
    const file = join(directory, 'AGENTS.md');
    await writeFile(file, '# Rules\n\nBe kind.\n');
    const { code, out } = await throughlineOn(server, ['init', '--json'], {}, directory);
    expect(code).toBe(0);
    const written = await readFile(file, 'utf8');
    await throughlineOn(server, ['init'], {}, directory);
    const writtenAgain = await readFile(file, 'utf8');
    return { written, writtenAgain, configuration: JSON.parse(out) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A client of the earlier revision, with the configuration that `throughline init` prints. */
async function configuredByInit(key: string): Promise<McpAgent> {
  const { configuration } = await initialized;
  const agent = await McpAgent.configured(configuration, { THROUGHLINE_KEY: key });
  agents.push(agent);
  return agent;
}

const reviewerKey = () =>
  server.key({ role: 'agent', agentId: 'reviewer', audiences: ['reviewer'] });

async function contextNamed(contextId: string): Promise<string> {
  await server.post('/v1/contexts', { contextId });
  return contextId;
}
