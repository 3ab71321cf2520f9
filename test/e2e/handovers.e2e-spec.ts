import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

type Reply = Awaited<ReturnType<ThroughlineServer['post']>>;

/** The summary of an answer: status, types of the events, and the id. */
function summaryOf({ status, body }: Reply) {
  const { events, handoverId, inputRequestId } = body;
  const types = events.map(({ type }: { type: string }) => type);
  return { status, types, id: handoverId ?? inputRequestId };
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
const note = {
  handoverId: 'H 1/a',
  from: 'sdd-architect',
  to: 'sdd-pe',
  priority: 'critical',
  note: 'Reads outnumber writes four to one',
  relatedArtifacts: ['design/l1_architecture.md'],
  actionItems: ['Detail the contracts between services'],
};

describe('handovers', () => {
  it('are open until they are acknowledged', async () => {
    const path = await server.context('handed-over');
    const key = await server.key({ role: 'agent', agentId: 'sdd-pe' });
    expect(summaryOf(await server.post(`${path}/handovers`, note))).toEqual({
      status: 201,
      types: ['HandoverNoted'],
      id: 'H 1/a',
    });
    const openNote = { ...note, agentId: 'admin', timestamp: expect.any(String), version: 2 };
    const open = await server.get(path);
    expect(open.body.handoverNotes).toEqual([{ ...openNote, status: 'open' }]);
    const acknowledge = `${path}/handovers/H%201%2Fa/acknowledge`;
    expect(summaryOf(await server.post(acknowledge, { note: 'seen' }, { key }))).toMatchObject({
      status: 201,
      types: ['HandoverAcknowledged'],
    });
    const { body } = await server.get(path);
    expect(body.handoverNotes).toEqual([
      {
        ...openNote,
        status: 'acknowledged',
        acknowledgedBy: 'sdd-pe',
        acknowledgedAt: expect.any(String),
        acknowledgementNote: 'seen',
      },
    ]);
    expect((await server.get(`${path}?asOf=2`)).body.handoverNotes).toEqual(
      open.body.handoverNotes,
    );
  });

  it('can be acknowledged by their addressee or a person only, on each route', async () => {
    const path = await server.context('not-mine');
    const agent = (agentId: string, grant: object = {}) =>
      server.key({ role: 'agent', agentId, ...grant });
    const [writer, addressee, deputy, outsider, operator] = [
      await agent('sdd-architect'),
      await agent('sdd-pe'),
      await agent('lead', { actsFor: ['sdd-pe'] }),
      await agent('rev', { audiences: ['reviewer'] }),
      await server.key({ role: 'operator' }),
    ];
    await server.post(`${path}/handovers`, { ...note, handoverId: 'h' }, { key: writer });
    const data = { handoverId: 'h' };
    const writes = (key: string) => [
      server.post(`${path}/handovers/h/acknowledge`, {}, { key }),
      server.post(`${path}/events`, { events: [{ type: 'HandoverAcknowledged', data }] }, { key }),
      server.call('PUT', path, {
        body: { handoverNotes: [{ ...data, status: 'acknowledged' }] },
        key,
        headers: { 'If-Match': '"2"' },
      }),
    ];
    for (const { status, body } of await Promise.all(writes(writer)))
      expect([status, body.type]).toEqual([403, '/problems/forbidden']);
    const [byPath, inBatch] = writes(outsider);
    expect([(await byPath)?.status, (await inBatch)?.status]).toEqual([404, 404]);
    for (const key of [addressee, deputy, operator]) {
      const handoverId = `h-${key.slice(-8)}`;
      await server.post(`${path}/handovers`, { ...note, handoverId });
      const answer = await server.post(`${path}/handovers/${handoverId}/acknowledge`, {}, { key });
      expect(answer.status).toBe(201);
    }
    const { body } = await server.get(path);
    expect(body.handoverNotes[0]).toMatchObject({ handoverId: 'h', status: 'open' });
  });

  it('have their writer as the default of `from`, and get an id', async () => {
    const path = await server.context('unsaid');
    const answer = await server.post(`${path}/handovers`, {
      to: 'sdd-architect',
      note: 'R-3.2 asks for horizontal scaling',
      agentId: 'sdd-ba',
    });
    expect(summaryOf(answer)).toMatchObject({ status: 201, id: uuid });
    const { body } = await server.get(path);
    expect(body.handoverNotes).toMatchObject([
      { handoverId: answer.body.handoverId, from: 'sdd-ba', agentId: 'sdd-ba', priority: 'medium' },
    ]);
  });

  it('can be noted and acknowledged in a written document', async () => {
    const path = await server.context('written');
    await server.post(`${path}/handovers`, note);
    const handoverNotes = [
      { handoverId: 'H 1/a', status: 'acknowledged' },
      { from: 'sdd-pe', to: 'sdd-le', note: 'Start with the token manager' },
    ];
    const answer = await server.call('PUT', path, {
      body: { handoverNotes },
      headers: { 'If-Match': '"2"' },
    });
    expect(answer.body.events).toMatchObject([
      { type: 'HandoverAcknowledged' },
      { type: 'HandoverNoted', handoverId: uuid },
    ]);
  });
});

describe('input requests', () => {
  const request = { inputRequestId: 'IN-1', path: 'analyst.outputs.brief.budget', from: 'analyst' };

  it('are open until their value is provided', async () => {
    const path = await server.context('asked');
    expect(summaryOf(await server.post(`${path}/input-requests`, request))).toEqual({
      status: 201,
      types: ['InputRequested'],
      id: 'IN-1',
    });
    const openRequest = { ...request, agentId: 'admin', timestamp: expect.any(String), version: 2 };
    expect((await server.get(path)).body.inputRequests).toEqual([
      { ...openRequest, status: 'open' },
    ]);
    const provide = `${path}/input-requests/IN-1/provide`;
    const value = { budget: 5, currency: null };
    expect(summaryOf(await server.post(provide, { value, agentId: 'analyst' }))).toMatchObject({
      status: 201,
      types: ['InputProvided'],
    });
    expect((await server.get(path)).body.inputRequests).toEqual([
      {
        ...openRequest,
        status: 'provided',
        value,
        providedBy: 'analyst',
        providedAt: expect.any(String),
      },
    ]);
  });

  it('get ids if none are sent, also in batches', async () => {
    const path = await server.context('batched');
    const withoutId = { path: 'p', from: 'analyst' };
    const { body } = await server.post(`${path}/events`, {
      events: [
        { type: 'InputRequested', data: withoutId },
        { type: 'HandoverNoted', data: { to: 'x', note: 'n' } },
        { type: 'InputRequested', data: request },
        { type: 'InputProvided', data: { inputRequestId: 'IN-1', value: null } },
      ],
    });
    expect(body.events).toMatchObject([
      { inputRequestId: uuid },
      { handoverId: uuid },
      { inputRequestId: 'IN-1' },
      { type: 'InputProvided' },
    ]);
    expect((await server.get(path)).body.inputRequests[1]).toMatchObject({ value: null });
  });
});

describe('handovers and input requests', () => {
  it('add no event if they are repeated', async () => {
    const path = await server.context('again');
    const calls = [
      ['/handovers', note],
      ['/handovers/H%201%2Fa/acknowledge', {}],
      ['/input-requests', { inputRequestId: 'I', path: 'p', from: 'x' }],
      ['/input-requests/I/provide', { value: [1] }],
    ] as const;
    for (const [route, body] of calls)
      expect((await server.post(`${path}${route}`, body)).status).toBe(201);
    for (const [route, body] of calls) {
      const again = await server.post(`${path}${route}`, body);
      expect([summaryOf(again), again.body.version]).toMatchObject([{ status: 200, types: [] }, 5]);
    }
    const other = await server.post(`${path}/handovers/H%201%2Fa/acknowledge`, { note: 'me too' });
    expect(summaryOf(other)).toMatchObject({ status: 200, types: [] });
  });

  it.each([
    ['/handovers/unknown/acknowledge', {}, 404, undefined],
    ['/input-requests/unknown/provide', {}, 404, undefined],
    ['/handovers', { ...note, note: 'else' }, 422, '/handoverId'],
    ['/handovers', { note: 'n' }, 422, '/to'],
    ['/handovers', { to: 'admin', note: 'n' }, 422, '/to'],
    ['/handovers', { to: 'x', note: 'n', priority: 'urgent' }, 422, '/priority'],
    [
      '/handovers',
      { to: 'x', note: 'n', carriedFrom: { contextId: 'c', handoverId: 'h' } },
      422,
      '/carriedFrom',
    ],
    ['/input-requests', { inputRequestId: 'I', path: 'p', from: 'y' }, 422, '/inputRequestId'],
    ['/input-requests', { path: 'p' }, 422, '/from'],
    ['/input-requests/I/provide', { inputRequestId: 'J' }, 422, '/inputRequestId'],
  ])('refuse %s of %j', async (route, body, status, pointer) => {
    const path = await server.context('refusing');
    await server.post(`${path}/handovers`, note);
    await server.post(`${path}/input-requests`, { inputRequestId: 'I', path: 'p', from: 'x' });
    const answer = await server.post(`${path}${route}`, body);
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([status, pointer]);
  });

  it('are in a difference', async () => {
    const path = await server.context('told');
    await server.post(`${path}/handovers`, note);
    await server.post(`${path}/input-requests`, { inputRequestId: 'I', path: 'p', from: 'x' });
    await server.post(`${path}/handovers/H%201%2Fa/acknowledge`);
    const { body } = await server.get(`${path}/diff?from=2&to=4`);
    expect(body.entriesChanged).toMatchObject([
      { part: 'inputRequests', key: 'I', before: null, after: { status: 'open' } },
      { part: 'handoverNotes', before: { status: 'open' }, after: { status: 'acknowledged' } },
    ]);
  });
});
