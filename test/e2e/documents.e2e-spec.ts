import { type Reply, ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
});
afterAll(() => server.stop());

const story = [
  '# Story 1.2: Sign in',
  '',
  '<!-- kept by hand -->',
  '## Status',
  'Draft',
  '',
  '## Acceptance Criteria',
  '1. A user can sign in',
  '2. A wrong password is refused',
  '',
  '## Tasks / Subtasks',
  '- [x] Task 1: Schema (AC: 1)',
  '  - [ ] 1.1 Users table',
  '- [ ] Task 2: Endpoint (AC: 1, 2)',
  '',
  '## Dev Notes',
  'Use argon2.',
  '',
].join('\n');

type ImportOptions = Readonly<{
  as: string;
  query?: string;
  key?: string;
  type?: string;
  format?: string;
}>;

function importOf(
  text: string,
  { as, query = '', key, type = 'text/markdown', format = 'story-markdown' }: ImportOptions,
): Promise<Reply> {
  return server.call('POST', `/v1/imports?format=${format}&as=${as}&name=1.2.md${query}`, {
    text,
    headers: { 'content-type': type },
    ...(key === undefined ? {} : { key }),
  });
}

const exportOf = (contextId: string, query = '', options?: object) =>
  server.get(`/v1/contexts/${contextId}/export?format=story-markdown${query}`, options);

async function events(contextId: string) {
  return (await server.get(`/v1/contexts/${contextId}/events?limit=500`)).body.items;
}

describe('a dry run', () => {
  it('reports the events that the import would store, and stores nothing', async () => {
    const answer = await importOf(story, { as: 'dry', query: '&dryRun=true' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      dryRun: true,
      contexts: [
        { contextId: 'dry', created: true, events: { TaskPlanned: 3, ContextCreated: 1 } },
      ],
    });
    expect((await server.get('/v1/contexts/dry')).status).toBe(404);
  });
});

describe('an imported story', () => {
  it('becomes events of the importer, whose origin is the stated author and time', async () => {
    const query = '&author=ada&time=2026-01-02T03:04:05Z';
    await importOf(story, { as: 'claimed', query });
    for (const { principal, origin } of await events('claimed')) {
      expect(principal).toBe('admin');
      expect(origin).toEqual({ agentId: 'ada', timestamp: '2026-01-02T03:04:05Z' });
    }
    const { body } = await server.get('/v1/contexts/claimed');
    expect(body.tasks).toMatchObject([
      { title: 'Schema', status: 'completed' },
      { title: 'Users table', status: 'planned' },
      { title: 'Endpoint', status: 'planned' },
    ]);
  });

  it('has no reserved name as its author, and no time in the future', async () => {
    const query = '&author=admin&time=2999-01-02T03:04:05Z';
    const { body } = await importOf(story, { as: 'reserved', query });
    expect(body.notes.map(({ detail }: { detail: string }) => detail)).toEqual(
      expect.arrayContaining([
        `the author "admin" is not a valid agent name`,
        'the time 2999-01-02T03:04:05Z is in the future',
      ]),
    );
    const [first] = await events('reserved');
    expect(first.origin).toEqual({ agentId: null, timestamp: expect.any(String) });
    expect(first.origin.timestamp <= first.recordedAt).toBe(true);
  });

  it('is exported byte for byte, and is not stored twice', async () => {
    const text = story.replaceAll('\n', '\r\n');
    await importOf(text, { as: 'same' });
    const again = await importOf(text, { as: 'same' });
    expect(again.body.contexts).toMatchObject([{ created: false, imported: 0, events: {} }]);
    const answer = await exportOf('same');
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(answer.text).toBe(text);
  });

  it('is exported with the changes of agents, and verbatim otherwise', async () => {
    await importOf(story, { as: 'worked' });
    const { body } = await server.get('/v1/contexts/worked');
    const task = body.tasks[2].taskId;
    await server.post(`/v1/contexts/worked/tasks/${encodeURIComponent(task)}/complete`, {});
    expect((await exportOf('worked')).text).toBe(story.replace('- [ ] Task 2', '- [x] Task 2'));
    const before = await exportOf('worked', `&asOf=${body._version}`);
    expect(before.text).toBe(story);
  });

  it('stores only the changes of a revision, and retains the work of agents', async () => {
    await importOf(story, { as: 'revised' });
    const { body } = await server.get('/v1/contexts/revised');
    const [, task] = body.tasks;
    await server.post(`/v1/contexts/revised/tasks/${encodeURIComponent(task.taskId)}/complete`, {});
    const revision = story
      .replace('Draft', 'Approved')
      .replace('Use argon2.', 'Use argon2id.')
      .replace('2. A wrong', '2. An unknown user or wrong');
    const answer = await importOf(revision, { as: 'revised' });
    expect(answer.body.contexts[0].events).toEqual({
      GlobalContextSet: 1,
      RequirementRecorded: 1,
      RecordAppended: 1,
      SourceImported: 1,
    });
    expect((await exportOf('revised')).text).toBe(revision.replace('[ ] 1.1', '[x] 1.1'));
    await importOf(`${revision}\n## Risks\nNone.\n`, { as: 'revised' });
    expect((await exportOf('revised')).text).toContain('[x] 1.1');
    const { body: head } = await server.get('/v1/contexts/revised');
    const fork = { contextId: 'revised-fork', atVersion: head._version };
    expect((await server.post('/v1/contexts/revised/forks', fork)).status).toBe(201);
    expect((await exportOf('revised-fork')).text).toBe((await exportOf('revised')).text);
  });

  it('is imported again after a restore has removed it', async () => {
    const first = await importOf(story, { as: 'restored' });
    const revision = story.replace('Draft', 'Done');
    await importOf(revision, { as: 'restored' });
    const { version } = first.body.contexts[0];
    expect((await server.post('/v1/contexts/restored/restore', { version })).status).toBe(201);
    expect((await exportOf('restored')).text).toBe(story);
    const again = await importOf(revision, { as: 'restored' });
    expect(again.body.contexts[0].events).toMatchObject({ GlobalContextSet: 1 });
    expect((await exportOf('restored')).text).toBe(revision);
  });

  it('is completed by the same import if the first one was interrupted', async () => {
    const long = `${story}\n${Array.from({ length: 900 }, (_, index) => `## Section ${index}\n${'x'.repeat(1_000)}\n`).join('\n')}`;
    const complete = await importOf(long, { as: 'whole' });
    const { imported } = complete.body.contexts[0];
    expect(imported).toBeGreaterThan(900);
    const aborted = new AbortController();
    const interrupted = server.call(
      'POST',
      '/v1/imports?format=story-markdown&as=cut&name=1.2.md',
      {
        text: long,
        headers: { 'content-type': 'text/markdown' },
        signal: aborted.signal,
      },
    );
    aborted.abort();
    await expect(interrupted).rejects.toThrow();
    const answer = await importOf(long, { as: 'cut' });
    expect(answer.status).toBe(200);
    expect((await exportOf('cut')).text).toBe(long);
    expect(await versionOf('cut')).toBe(await versionOf('whole'));
  });
});

async function versionOf(contextId: string): Promise<number> {
  return (await server.get(`/v1/contexts/${contextId}`)).body._version;
}

describe('an export that contains work of agents', () => {
  it('can be imported again without duplicates', async () => {
    await importOf(story, { as: 'grown' });
    const path = '/v1/contexts/grown';
    await server.post(`${path}/decisions`, { decision: 'Lock by address', rationale: 'Offices' });
    await server.post(`${path}/records`, { kind: 'custom', title: 'Limits', body: 'Five tries.' });
    await server.post(`${path}/tasks`, { title: 'Write the manual' });
    await server.post(`${path}/requirements`, { kind: 'constraint', text: 'Within 100 ms' });
    const written = await exportOf('grown');
    expect(written.text).toContain('Lock by address');
    const answer = await importOf(written.text, { as: 'grown' });
    expect(answer.body.contexts[0].events).toEqual({ SourceImported: 1 });
    expect((await exportOf('grown')).text).toBe(written.text);
    const edited = written.text.replace('Write the manual', 'Write a short manual');
    expect((await importOf(edited, { as: 'grown' })).status).toBe(200);
    expect((await exportOf('grown')).text.match(/manual/g)).toHaveLength(1);
  });

  it('of decision records can be imported again', async () => {
    const send = (text: string) =>
      server.call('POST', '/v1/imports?format=adr-markdown&as=records', {
        text,
        headers: { 'content-type': 'application/x-ndjson' },
      });
    const record =
      '# 1. Use PostgreSQL\n\n## Status\n\nAccepted\n\n## Decision\n\nUse PostgreSQL.\n';
    await send(JSON.stringify({ name: '0001-use-postgresql.md', text: record }));
    await server.post('/v1/contexts/records/decisions', { decision: 'Use it', rationale: 'It is' });
    const written = await server.get('/v1/contexts/records/export?format=adr-markdown');
    const answer = await send(written.text);
    // The title and the author of the new decision become a record.
    expect(answer.body.contexts[0].events).toEqual({ RecordAppended: 1, SourceImported: 1 });
    const again = await server.get('/v1/contexts/records/export?format=adr-markdown');
    expect(again.text).toBe(written.text);
  });

  it('contains work of agents that was stored during a long import', async () => {
    const tasks = Array.from(
      { length: 2_000 },
      (_, index) => `- [ ] Task ${index + 1}: Build ${index}`,
    );
    const long = `# Story 9.9: Long\n\n## Tasks\n\n${tasks.join('\n')}\n`;
    const expected = long.replace('[ ] Task 1:', '[x] Task 1:');
    // Whether the agent writes between two appends of the import depends on chance.
    for (let round = 1; ; round++) {
      const importing = importOf(long, { as: `long-${round}` });
      const completed = await completeOnce(`long-${round}`, '1');
      expect((await importing).status).toBe(200);
      expect((await exportOf(`long-${round}`)).text).toBe(expected);
      if (completed < (await versionOf(`long-${round}`))) break;
      expect(round).toBeLessThan(10);
    }
  }, 120_000);
});

/** Completes a task as soon as it is planned, and returns the version of the completion. */
async function completeOnce(contextId: string, taskId: string): Promise<number> {
  for (;;) {
    const answer = await server.post(`/v1/contexts/${contextId}/tasks/${taskId}/complete`, {});
    if (answer.status === 201) return answer.body.version;
    expect(answer.status).toBe(404);
  }
}

describe('rights to import and read documents', () => {
  it('limit a narrower audience to its visible items, without the text of the source', async () => {
    await importOf(story, { as: 'narrow' });
    const { body } = await server.post('/v1/keys', {
      role: 'agent',
      agentId: 'reviewer',
      audiences: ['reviewer'],
    });
    const key = body.secret;
    const narrowExport = await exportOf('narrow', '', { key });
    expect(narrowExport.status).toBe(200);
    expect(narrowExport.text).toContain('A user can sign in');
    expect(narrowExport.text).not.toContain('kept by hand');
    expect(narrowExport.text).not.toContain('argon2');
    const { body: page } = await server.get('/v1/contexts/narrow/events', { key });
    expect(page.items.map(({ type }: { type: string }) => type)).not.toContain('SourceImported');
    expect((await importOf(story, { as: 'narrow', key })).status).toBe(403);
  });

  it('limit an agent to its own name as the author', async () => {
    const { body } = await server.post('/v1/keys', { role: 'agent', agentId: 'dev' });
    const key = body.secret;
    expect((await importOf(story, { as: 'by-agent', key })).status).toBe(200);
    const refused = await importOf(story, { as: 'by-agent2', query: '&author=qa', key });
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toContain('qa');
    expect((await server.get('/v1/contexts/by-agent2')).status).toBe(404);
    const events = await server.call('POST', '/v1/imports?format=events-jsonl', {
      text: '{}',
      key,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(events.status).toBe(403);
  });

  it('hide a context that is out of reach of the key', async () => {
    await importOf(story, { as: 'apart' });
    const { body } = await server.post('/v1/keys', {
      role: 'agent',
      agentId: 'dev',
      contexts: ['other'],
    });
    const answer = await importOf(story, { as: 'apart', key: body.secret });
    expect([403, 404, 409]).toContain(answer.status);
    expect(answer.text).not.toContain('Sign in');
  });
});

describe('a body that cannot be imported', () => {
  it('is refused with the line of its document, and nothing is stored', async () => {
    const answer = await importOf('{"messages": [}', {
      as: 'broken',
      format: 'trajectory-jsonl',
      type: 'application/x-ndjson',
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].detail).toMatch(/^1\.2\.md:1/);
    expect((await server.get('/v1/contexts/broken')).status).toBe(404);
  });

  it.each([
    ['&dryRun=yes', '/dryRun'],
    ['&firstLine=0', '/firstLine'],
    ['&time=yesterday', '/time'],
    ['&banana=1', '/banana'],
  ])('is refused because of its query %s', async (query, pointer) => {
    const answer = await importOf(story, { as: 'query', query });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ pointer });
  });

  it('is refused if its media type is not accepted', async () => {
    expect((await importOf(story, { as: 'type', type: 'text/html' })).status).toBe(415);
    const events = await server.call('POST', '/v1/imports?format=events-jsonl', {
      text: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(events.status).toBe(415);
  });

  it('is refused if one of several documents is invalid, or has the name of another', async () => {
    const send = (text: string) =>
      server.call('POST', '/v1/imports?format=adr-markdown&as=bundle', {
        text,
        headers: { 'content-type': 'application/x-ndjson' },
      });
    const line = JSON.stringify({ name: 'a.md', text: '# 1. A\n\n## Decision\nYes\n' });
    expect((await send(`${line}\n${line}`)).body.errors[0]).toMatchObject({ pointer: '/1/name' });
    expect((await send(`${line}\n{"name":"b.md"}`)).body.errors[0].pointer).toBe('/1/text');
    expect((await send('')).status).toBe(422);
    expect((await send(line)).status).toBe(200);
  });
});
