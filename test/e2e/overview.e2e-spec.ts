import { isDeepStrictEqual } from 'node:util';

import { waitFor } from '#testing';

import { caughtUp, currentAnswer } from './caught-up.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.start();
}, 120_000);

afterAll(() => server.stop());

/** The item of a list, once it says what has happened so far. */
const listed = async (contextId: string, options = {}) => {
  const { body } = await currentAnswer(() => server.get('/v1/contexts', options));
  return body.items.find((each: { contextId: string }) => each.contextId === contextId);
};

const settings = (patch: object) => server.call('PATCH', '/v1/settings', { body: patch });

/** The header of its document; undefined if there is none. */
const noteOn = async (contextId: string, options = {}) =>
  (await server.get(`/v1/contexts/${contextId}`, options)).headers['notes'];

/** Gauges by what stands behind `throughline_contexts`, once contexts are counted anew. */
const gauges = async () => {
  const { text } = await server.get('/metrics');
  const found = text.matchAll(/^throughline_contexts_?([a-z_]*) (\d+)$/gm);
  return Object.fromEntries([...found].map(([, name, value]) => [name, Number(value)]));
};

describe('the list of contexts', () => {
  it('says how large each context is, by events, bytes and tokens, as its document does', async () => {
    const path = await server.context('sized');
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 'x'.repeat(400) });
    const item = await listed('sized');
    const { body } = await server.get(path);
    const { events, bytes, tokens } = item;
    expect({ events, bytes, tokens }).toEqual(body.size);
    expect(item).toMatchObject({ events: 2, version: 2, warning: null });
  });

  it('adds up to what the metrics report, which count those near their threshold and beyond it', async () => {
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
    const sum = (name: string) =>
      sizes.reduce((all, size) => all + (size[name] ?? 0), before[name] ?? 0);
    const wanted = {
      '': (before[''] ?? 0) + 4,
      events: sum('events'),
      bytes: sum('bytes'),
      tokens: sum('tokens'),
      near_token_threshold: (before['near_token_threshold'] ?? 0) + 1,
      over_token_threshold: (before['over_token_threshold'] ?? 0) + 1,
    };
    await caughtUp(server);
    await waitFor(`gauges of ${JSON.stringify(wanted)}`, gauges, {
      until: (values) => isDeepStrictEqual(values, wanted),
    });
  });

  it('warns from 80 % of the threshold of the workspace on, 50,000 tokens unless it says otherwise', async () => {
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

  it.each([0, 1.5, '1', 1e12])('takes no threshold of %j', async (tokenThreshold) => {
    const { status, body } = await settings({ tokenThreshold });
    expect([status, body.errors[0].pointer]).toEqual([422, '/tokenThreshold']);
  });

  it('says who works in which phase, and what stands in the way or is about to', async () => {
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
    // Going back gives no new iterations.
    expect(await listed('busy')).toMatchObject({ openBlockers: 0, breakersNearLimit });
  });

  it('says nothing of sizes and warnings to who may not see everything', async () => {
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
