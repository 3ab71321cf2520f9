import { waitFor } from '#testing';

import { currentAnswer } from './caught-up.js';
import { proveHttpPage } from './docs/http-page.js';
import { patient } from './docs/patient-server.js';
import { throughlineOn } from './throughline-on.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  // One test rebuilds the read models of all workspaces.
  server = await ThroughlineServer.start();
}, 120_000);

afterAll(() => server.stop());

type SearchQuery = Readonly<Record<string, string>>;

const search = (query: SearchQuery, key?: string) =>
  server.get(`/v1/contexts?${new URLSearchParams(query)}`, key === undefined ? {} : { key });

/** The contexts that a search finds. The answer itself states whether the index is current. */
const found = async (query: SearchQuery, key?: string): Promise<string[]> => {
  const { status, body } = await currentAnswer(() => search(query, key));
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body.items.map(({ contextId }: { contextId: string }) => contextId).toSorted();
};
const containing = (pattern: object) => found({ contains: JSON.stringify(pattern) });

describe('searching contexts', () => {
  beforeAll(async () => {
    await server.post('/v1/contexts', {
      contextId: 'shop',
      title: 'Checkout of the shop',
      metadata: { team: 'payments', tags: ['beta', 'eu'] },
      preferences: { tone: 'dry' },
    });
    await server.post('/v1/contexts/shop/step-outputs', {
      stepId: 'design-l2',
      output: { store: 'PostgreSQL', files: ['src/db/schema.ts'], size: 3 },
    });
    await server.post('/v1/contexts/shop/decisions', {
      topic: 'database',
      decision: 'Use event sourcing',
      rationale: 'Nothing is lost',
    });
    await server.post('/v1/contexts', {
      contextId: 'blog',
      title: 'Blog: event calendar',
      metadata: { team: 'content', tags: ['beta'] },
    });
  });

  it('finds words in any part of the document', async () => {
    expect(await found({ q: 'event' })).toEqual(['blog', 'shop']);
    expect(await found({ q: 'checkout POSTGRESQL lost' })).toEqual(['shop']);
    expect(await found({ q: '"event sourcing"' })).toEqual(['shop']);
    expect(await found({ q: 'schema.ts' })).toEqual(['shop']);
    expect(await found({ q: 'event -sourcing' })).toEqual(['blog']);
    expect(await found({ q: 'calendar or checkout' })).toEqual(['blog', 'shop']);
    expect(await found({ q: 'absent' })).toEqual([]);
  });

  it('finds JSON that the document contains', async () => {
    expect(await containing({ metadata: { tags: ['beta'] } })).toEqual(['blog', 'shop']);
    expect(await containing({ metadata: { tags: ['eu', 'beta'] }, status: 'open' })).toEqual([
      'shop',
    ]);
    expect(await containing({ stepOutputs: { 'design-l2': { size: 3 } } })).toEqual(['shop']);
    expect(await containing({ stepOutputs: { 'design-l2': { size: 4 } } })).toEqual([]);
    expect(await containing({ decisionHistory: [{ topic: 'database', live: true }] })).toEqual([
      'shop',
    ]);
    expect(await containing({ userPreferences: { tone: 'dry' } })).toEqual(['shop']);
  });

  it('combines with other filters and pages', async () => {
    expect(await found({ q: 'event', status: 'closed' })).toEqual([]);
    expect(await found({ q: 'event', contains: '{"metadata":{"team":"content"}}' })).toEqual([
      'blog',
    ]);
    const first = await search({ q: 'event', limit: '1' });
    expect(first.body.items).toMatchObject([{ contextId: 'blog' }]);
    const second = await search({ q: 'event', limit: '1', cursor: first.body.nextCursor });
    expect(second.body).toMatchObject({ items: [{ contextId: 'shop' }], nextCursor: null });
  });

  it('finds the current state, also of restored and forked contexts', async () => {
    const path = await server.context('moved');
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 'quokka' });
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 'wombat' });
    expect(await found({ q: 'quokka' })).toEqual([]);
    await server.post(`${path}/forks`, { atVersion: 2, contextId: 'forked' });
    expect(await found({ q: 'quokka' })).toEqual(['forked']);
    await server.post(`${path}/restore`, { version: 2 });
    expect(await found({ q: 'quokka' })).toEqual(['forked', 'moved']);
    expect(await containing({ stepOutputs: { a: 'wombat' } })).toEqual([]);
    await server.post(`${path}/close`);
    expect(await containing({ stepOutputs: { a: 'quokka' }, status: 'closed' })).toEqual(['moved']);
  });

  it('finds outputs of a megabyte, with NUL and lone surrogates', async () => {
    const path = await server.context('large');
    const words = Array.from({ length: 120_000 }, (_, n) => `z${n}`).join(' ');
    const large = await server.post(`${path}/step-outputs`, { stepId: 'a', output: words });
    const oddOutput = { 'key\u0000': ['lone \ud800', 'marsupial'] };
    await server.post(`${path}/step-outputs`, { stepId: 'b', output: oddOutput });
    expect(large.status).toBe(201);
    expect(await found({ q: 'z0 z60000 "z119998 z119999"' })).toEqual(['large']);
    expect(await found({ q: 'marsupial' })).toEqual(['large']);
    expect(await containing({ stepOutputs: { b: { 'key\u0000': ['lone \ud800'] } } })).toEqual([
      'large',
    ]);
  });

  it('finds a fork by the visible state of its source before a hidden change', async () => {
    const path = await server.context('origin');
    const rules = (values: object, visibility: string) => ({
      type: 'GlobalContextSet',
      visibility,
      data: { values },
    });
    await server.post(`${path}/events`, {
      events: [rules({ animal: 'bandicoot' }, 'record'), rules({ animal: 'potoroo' }, 'working')],
    });
    await server.post(`${path}/forks`, { atVersion: 3, contextId: 'branch' });
    await server.post('/v1/contexts/branch/forks', { atVersion: 1, contextId: 'twig' });
    const reviewer = await server.key({ role: 'agent', agentId: 'r', audiences: ['reviewer'] });
    const visible = await server.get('/v1/contexts/twig', { key: reviewer });
    expect(visible.body.globalContext).toEqual({ animal: 'bandicoot' });
    expect(await found({ q: 'bandicoot' }, reviewer)).toEqual(['branch', 'origin', 'twig']);
    expect(await found({ q: 'potoroo' }, reviewer)).toEqual([]);
    expect(await found({ q: 'potoroo' })).toEqual(['branch', 'origin', 'twig']);
  });

  it('works during a rebuild of the read models, and on the new ones after it', async () => {
    const before = await found({ q: 'event' });
    const { body } = await server.post('/v1/projections/shared-context/rebuild', {});
    const state = async () => {
      const during = await search({ q: 'event' });
      expect(during.body.items).toHaveLength(before.length);
      return (await server.get(`/v1/jobs/${body.jobId}`)).body.state;
    };
    const hasEnded = (each: string) => !['waiting', 'running'].includes(each);
    expect(await waitFor('the end of the rebuild', state, { until: hasEnded })).toBe('switched');
    expect(await found({ q: 'event' })).toEqual(before);
    const path = await server.context('afterwards');
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 'an event' });
    expect(await found({ q: 'event' })).toEqual(['afterwards', ...before]);
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 'none' });
    expect(await found({ q: 'event' })).toEqual(before);
  });

  it('works from the command line', async () => {
    await found({ q: 'event' });
    const list = (...options: readonly string[]) =>
      throughlineOn(server, ['context', 'list', ...options]);
    const pattern = '{"metadata":{"team":"payments"}}';
    const { code, out } = await list('--search', 'event sourcing', '--contains', pattern);
    expect([code, out]).toEqual([0, expect.stringMatching(/^CONTEXT.*\nshop .*Checkout/)]);
    expect((await list('--search', 'absent')).out).toContain('no contexts');
    const refused = await list('--contains', '{');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('must be JSON')]);
  });

  it('is limited to its workspace and to the reach of the key', async () => {
    const workspace = server.workspaceNamed('elsewhere');
    const headers = { workspace };
    await server.key({ role: 'admin', workspace }, { headers });
    await server.post('/v1/contexts', { contextId: 'hidden', title: 'Numbat' }, { headers });
    const otherWorkspace = await server.get('/v1/contexts?q=numbat', { headers });
    expect(otherWorkspace.status).toBe(200);
    await server.post('/v1/contexts', { contextId: 'mine', title: 'Numbat' });
    expect(await found({ q: 'numbat' })).toEqual(['mine']);
    const narrowKey = await server.key({ role: 'agent', agentId: 'one', contexts: ['blog'] });
    expect(await found({ q: 'event' }, narrowKey)).toEqual(['blog']);
    expect(await found({ q: 'numbat' }, narrowKey)).toEqual([]);
  });

  it.each([
    [{ q: '' }, '/q', 'no word'],
    [{ q: '?!' }, '/q', 'no word'],
    [{ q: '"a' + ' b'.repeat(40) }, '/q', 'more than 32'],
    [{ q: 'x'.repeat(501) }, '/q', '500'],
    [{ contains: '' }, '/contains', 'JSON'],
    [{ contains: '{' }, '/contains', 'JSON'],
    [{ contains: '[]' }, '/contains', 'object'],
    [{ contains: '{"a":1,"a":2}' }, '/contains', 'JSON'],
    [{ contains: '{"metadata":{"n":1e999}}' }, '/contains', 'JSON'],
    [{ contains: '{"currentState":{}}' }, '/contains', '"currentState" is not searched'],
    [{ contains: '{"decisionHistory":[{"stale":true}]}' }, '/contains', '"stale"'],
    [{ contains: '{"__proto__":1}' }, '/contains', '"__proto__"'],
  ])('refuses %j', async (query, pointer, detail) => {
    const { status, body } = await search(query);
    expect([status, body.type]).toEqual([422, '/problems/validation-failed']);
    expect(body.errors[0].pointer).toBe(pointer);
    expect(body.errors[0].detail).toContain(detail);
  });
});

describe('docs/search.md', () => {
  let fresh: ThroughlineServer;

  beforeAll(async () => {
    fresh = await ThroughlineServer.shared();
  }, 120_000);
  afterAll(() => fresh.stop());

  it('shows the real answers to its requests', () => proveHttpPage('search.md', patient(fresh)));
});
