import { type Reply, ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

/** Another workspace of the same server, which is separate like another server. */
let target: { headers: { workspace: string } };

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  target = { headers: { workspace: server.workspaceNamed('elsewhere') } };
});
afterAll(() => server.stop());

async function filled(contextId: string): Promise<string> {
  const path = await server.context(contextId);
  for (const stepId of ['plan', 'build', 'check'])
    await server.post(`${path}/step-outputs`, {
      stepId,
      output: { stepId, odd: '\u2028 é😀 1e2' },
    });
  await server.post(`${path}/decisions`, { decision: 'd', topic: 't' });
  return path;
}

const exportOf = async (path: string, options?: object) =>
  (await server.get(`${path}/export?format=events-jsonl`, options)).text;

function importOf(text: string, query = '', headers: Record<string, string> = {}): Promise<Reply> {
  return server.call('POST', `/v1/imports?format=events-jsonl${query}`, {
    text,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  });
}

describe('verification of a context', () => {
  it('returns the number of verified events and the last hash', async () => {
    const path = await filled('v');
    const { body } = await server.get(`${path}/events`);
    expect((await server.get(`${path}/verify`)).body).toEqual({
      contextId: 'v',
      events: 5,
      broken: null,
      lastHash: body.items[4].hash,
    });
    expect((await server.get('/v1/contexts/none/verify')).status).toBe(404);
  });
});

describe('an export of a context', () => {
  it('has one line per event, and its own media type', async () => {
    const path = await filled('e');
    const answer = await server.get(`${path}/export?format=events-jsonl`);
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { body } = await server.get(`${path}/events`);
    expect(lines.slice(1, -2).map(({ data, metadata }) => ({ data, hash: metadata.hash }))).toEqual(
      body.items.map(({ data, hash }: { data: object; hash: string }) => ({ data, hash })),
    );
    const { hash } = body.items[4];
    expect(lines.at(-2).signature).toMatchObject({ contextId: 'e', version: 5, hash });
    expect(lines.at(-1).end).toEqual({ contexts: 1, events: 5, lastHash: hash });
  });

  it.each(['', '?format=wiki'])('is refused without a known format: %s', async (query) => {
    const answer = await server.get(`${await server.context('f')}/export${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ pointer: '/format' });
  });
});

describe('an import of events', () => {
  it('changes nothing if all events exist', async () => {
    const text = await exportOf(await filled('again'));
    const answer = await importOf(text);
    expect(answer.status).toBe(200);
    expect(answer.body.contexts).toEqual([
      { contextId: 'again', version: 5, imported: 0, skipped: 5, signed: true },
    ]);
  });

  it('as another context retains content and authorship, and is listed at once', async () => {
    const path = await filled('source');
    const text = await exportOf(path);
    const answer = await importOf(text, '&as=copy');
    expect(answer.body.contexts).toEqual([
      { contextId: 'copy', version: 5, imported: 5, skipped: 0, signed: true },
    ]);
    expect((await server.get('/v1/contexts?limit=1')).body.items[0]).toMatchObject({
      contextId: 'copy',
      imported: true,
    });
    const [copies, originals] = [
      (await server.get('/v1/contexts/copy/events')).body.items,
      (await server.get(`${path}/events`)).body.items,
    ];
    for (const [index, event] of copies.entries()) {
      expect(event).toMatchObject({ data: originals[index].data, principal: 'admin' });
      expect(event.origin).toEqual({ agentId: 'admin', timestamp: originals[index].recordedAt });
      expect(event.eventId).not.toBe(originals[index].eventId);
    }
    expect((await server.get('/v1/contexts/copy/verify')).body).toMatchObject({
      events: 5,
      broken: null,
    });
    expect((await importOf(text, '&as=copy')).body.contexts).toEqual([
      { contextId: 'copy', version: 5, imported: 0, skipped: 5, signed: true },
    ]);
  });

  it('into another workspace requires a context id', async () => {
    const text = await exportOf(await filled('moved'));
    const refused = await importOf(text, '', target.headers);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/1/workspace']);
    expect((await importOf(text, '&as=moved', target.headers)).body.contexts).toEqual([
      { contextId: 'moved', version: 5, imported: 5, skipped: 0, signed: true },
    ]);
  });

  it('in parts continues after the existing events, and refuses a gap', async () => {
    const lines = (await exportOf(await filled('parts'))).trimEnd().split('\n');
    const [header = '', ...eventLines] = lines;
    const hash = (line = '') => JSON.parse(line).metadata.hash;
    const part = (from: number, to: number) => {
      const events = eventLines.slice(from - 1, to);
      const end = { contexts: 1, events: events.length, lastHash: hash(events.at(-1)) };
      return [header, ...events, JSON.stringify({ end })].join('\n');
    };
    const tooEarly = await importOf(part(3, 5), '&as=joined');
    expect([tooEarly.status, tooEarly.body.errors[0].pointer]).toEqual([422, '/1/version']);
    expect((await importOf(part(1, 2), '&as=joined')).body.contexts[0]).toMatchObject({
      imported: 2,
    });
    expect((await importOf(part(2, 5), '&as=joined')).body.contexts).toEqual([
      { contextId: 'joined', version: 5, imported: 3, skipped: 1, signed: false },
    ]);
  });

  it('is refused if the context has another history, with the version, and stores nothing', async () => {
    const text = await exportOf(await filled('taken'));
    await importOf(text, '&as=other');
    await importOf(await exportOf('/v1/contexts/other'), '&as=third');
    const foreign = await importOf(await exportOf(await filled('unlike')), '&as=third');
    expect([foreign.status, foreign.body.type, foreign.body.version]).toEqual([
      409,
      '/problems/context-exists',
      1,
    ]);
    expect((await server.get('/v1/contexts/third/verify')).body.events).toBe(5);
  });

  it('is refused if a line was changed, with line and member, and stores nothing', async () => {
    const text = await exportOf(await filled('whole'));
    const changed = text.replace('"stepId":"build"', '"stepId":"built"');
    const answer = await importOf(changed, '&as=never');
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [{ pointer: '/3/metadata/hash', detail: expect.stringContaining('line 4') }],
    ]);
    expect((await importOf(text.slice(0, -80), '&as=never')).status).toBe(422);
    expect((await server.get('/v1/contexts/never')).status).toBe(404);
  });

  it('of a fork requires its source', async () => {
    const path = await filled('base');
    await server.post(`${path}/forks`, { atVersion: 4, contextId: 'fork' });
    const fork = await exportOf('/v1/contexts/fork');
    const refused = await importOf(fork, '&as=fork', target.headers);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/1/data/source']);
    await importOf(await exportOf(path), '&as=base', target.headers);
    expect((await importOf(fork, '&as=fork', target.headers)).status).toBe(200);
    expect((await server.get('/v1/contexts/fork', target)).status).toBe(200);
  });

  it('requires lines of JSON, which no other route accepts', async () => {
    const json = await server.post('/v1/imports?format=events-jsonl', {});
    expect(json.status).toBe(415);
    const lines = { text: '{}', headers: { 'content-type': 'application/x-ndjson' } };
    expect((await server.call('POST', '/v1/contexts', lines)).status).toBe(415);
    expect((await importOf('{}')).status).toBe(422);
    expect((await importOf(Buffer.from([0xff]) as unknown as string)).status).toBe(400);
  });
});
