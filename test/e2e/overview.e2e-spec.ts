import { isDeepStrictEqual } from 'node:util';

import { waitFor } from '#testing';

import { caughtUp, currentAnswer } from './caught-up.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.start();
}, 120_000);

afterAll(() => server.stop());

/** The item of the current list. */
const listed = async (contextId: string, options = {}) => {
  const { body } = await currentAnswer(() => server.get('/v1/contexts', options));
  return body.items.find((each: { contextId: string }) => each.contextId === contextId);
};

const settings = (patch: object) => server.call('PATCH', '/v1/settings', { body: patch });

/** The `Notes` header of the document; undefined if there is none. */
const noteOn = async (contextId: string, options = {}) =>
  (await server.get(`/v1/contexts/${contextId}`, options)).headers['notes'];

/** The gauges after the next count of contexts, by the suffix of `throughline_contexts`. */
const gauges = async () => {
  const { text } = await server.get('/metrics');
  const found = text.matchAll(/^throughline_contexts_?([a-z_]*) (\d+)$/gm);
  return Object.fromEntries([...found].map(([, name, value]) => [name, Number(value)]));
};

describe('the list of contexts', () => {
  it('has the size of each context in events, bytes and tokens, as in its document', async () => {
    const path = await server.context('sized');
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 'x'.repeat(400) });
    const item = await listed('sized');
    const { body } = await server.get(path);
    const { events, bytes, tokens } = item;
    expect({ events, bytes, tokens }).toEqual(body.size);
    expect(item).toMatchObject({ events: 2, version: 2, warning: null });
  });

  it('has the totals of the metrics, which count contexts near and beyond their threshold', async () => {
    const key = await server.key({ role: 'admin', workspace: 'measured' });
    await server.call('PATCH', '/v1/settings', { key, body: { tokenThreshold: 1_000 } });
    const before = await gauges();
    const sizes: Readonly<Record<string, number>>[] = [];
    for (const [contextId, tokens] of [
      ['small', 10],
      ['near', 900],
      ['over', 1_100],
      ['closed', 1_100],
    ] as const) {
      const path = await server.context(contextId, { key });
      const output = 'x'.repeat(4 * tokens);
      await server.post(`${path}/step-outputs`, { stepId: 'a', output }, { key });
      if (contextId === 'closed') await server.post(`${path}/close`, {}, { key });
      sizes.push((await server.get(path, { key })).body.size);
    }
    const total = (name: string) =>
      sizes.reduce((all, size) => all + (size[name] ?? 0), before[name] ?? 0);
    const expected = {
      '': (before[''] ?? 0) + 4,
      events: total('events'),
      bytes: total('bytes'),
      tokens: total('tokens'),
      near_token_threshold: (before['near_token_threshold'] ?? 0) + 1,
      over_token_threshold: (before['over_token_threshold'] ?? 0) + 1,
    };
    await caughtUp(server);
    await waitFor(`gauges of ${JSON.stringify(expected)}`, gauges, {
      until: (values) => isDeepStrictEqual(values, expected),
    });
  });

  it('warns from 80 % of the threshold of the workspace, which is 50,000 tokens by default', async () => {
    expect((await server.get('/v1/settings')).body.tokenThreshold).toBe(50_000);
    const path = await server.context('growing');
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 'x'.repeat(4 * 40_000) });
    const { tokens, warning } = await listed('growing');
    expect(warning).toEqual({ code: 'near-token-threshold', tokens, threshold: 50_000 });
    expect(await noteOn('growing')).toBe(`near-token-threshold: ${tokens} tokens of 50000`);
    await settings({ tokenThreshold: 30_000 });
    expect((await listed('growing')).warning).toEqual({
      code: 'over-token-threshold',
      tokens,
      threshold: 30_000,
    });
    expect(await noteOn('growing')).toBe(
      `over-token-threshold: ${tokens} tokens of 30000, GET ${path}/view is within a budget`,
    );
    await settings({ tokenThreshold: 100_000 });
    expect(await noteOn('growing')).toBeUndefined();
    expect((await listed('growing')).warning).toBeNull();
    const { body } = await settings({ tokenThreshold: null });
    expect(body.tokenThreshold).toBe(50_000);
  });

  it.each([0, 1.5, '1', 1e12])('does not accept a threshold of %j', async (tokenThreshold) => {
    const { status, body } = await settings({ tokenThreshold });
    expect([status, body.errors[0].pointer]).toEqual([422, '/tokenThreshold']);
  });

  it('shows who works in which phase, open blockers, and breakers near their limit', async () => {
    const path = await server.context('busy');
    expect(await listed('busy')).toMatchObject({
      phase: null,
      activeAgent: null,
      openBlockers: 0,
      breakersNearLimit: [],
    });
    const key = await server.key({ role: 'agent', agentId: 'sdd-pe' });
    await server.post(`${path}/phases/l2_design/start`, {}, { key });
    for (const blockerId of ['B-1', 'B-2', 'B-3'])
      await server.post(`${path}/blockers`, { blockerId, description: 'waits' });
    await server.post(`${path}/blockers/B-2/clear`);
    for (const subject of ['calm', 'design\u00e9', 'design\u00e9', 'design\u00e9'])
      await server.post(`${path}/iterations`, { subject });
    await server.post(`${path}/iterations`, { subject: 'once', max: 1 });
    const refused = await server.post(`${path}/iterations`, { subject: 'once' });
    expect(refused.status).toBe(409);
    const breakersNearLimit = [
      { subject: 'designé', current: 3, max: 3, status: 'warning' },
      { subject: 'once', current: 1, max: 1, status: 'tripped' },
    ];
    expect(await listed('busy')).toMatchObject({
      phase: 'l2_design',
      activeAgent: 'sdd-pe',
      openBlockers: 2,
      breakersNearLimit,
    });
    await server.post(`${path}/restore`, { version: 1 });
    // A restore does not give new iterations.
    expect(await listed('busy')).toMatchObject({ openBlockers: 0, breakersNearLimit });
  });

  it('has no sizes and warnings for a narrower audience', async () => {
    const path = await server.context('private');
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 'x'.repeat(4 * 60_000) });
    const key = await server.key({ role: 'agent', agentId: 'r', audiences: ['reviewer'] });
    expect((await listed('private')).warning).not.toBeNull();
    expect(await noteOn('private')).toMatch(/^over-token-threshold: /);
    expect(await noteOn('private', { key })).toBeUndefined();
    expect(await listed('private', { key })).toMatchObject({
      events: null,
      bytes: null,
      tokens: null,
      warning: null,
      openBlockers: null,
    });
  });
});
