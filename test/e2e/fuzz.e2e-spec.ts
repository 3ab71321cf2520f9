import fc from 'fast-check';

import { ThroughlineServer } from './throughline-server.js';

type Operation = Readonly<{
  parameters: readonly Readonly<{ name: string; in: string }>[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}>;
type Route = Readonly<{ method: string; path: string; query: readonly string[]; example: unknown }>;

let server: ThroughlineServer;
let routes: readonly Route[];

beforeAll(async () => {
  server = await ThroughlineServer.start({ THROUGHLINE_LOG_LEVEL: 'error' });
  for (const id of ['f1', 'f2', 'f3', 'design']) await server.context(id);
  const { body } = await server.get('/openapi.json');
  routes = Object.entries<Record<string, Operation>>(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      example: requestBody?.content['application/json']?.example ?? {},
    })),
  );
}, 120_000);

afterAll(() => server.stop());

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    "' or 1=1 --",
    '%',
    '..',
    '\u202e',
    'DEC-001',
    'DEC-999999999999999999999',
    '9'.repeat(400),
    '1e9',
    '-1',
    'null',
    'a'.repeat(300),
  ),
);
const oddValue = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, -0, 1e308, 5e-324, -1, 0.5, [], {}, [[[]]], { toString: 1 }),
);
const pathId = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('f1', 'f2', 'f3', 'design', 'DEC-001', 'DEC-002') },
  { weight: 1, arbitrary: oddText.map((text) => encodeURIComponent(text.toWellFormed())) },
);
const header = fc.constantFrom(
  {},
  { 'if-match': '"1"' },
  { 'if-match': 'W/"7"' },
  { 'idempotency-key': 'k1' },
  { 'idempotency-key': 'k2', 'if-match': '"2"' },
  { 'if-none-match': '*' },
  { 'based-on': 'made-up', trust: 'web', 'correlation-id': 'c' },
  { workspace: 'elsewhere' },
);

/** The example with members replaced, added or removed. */
function mutated(example: unknown): fc.Arbitrary<unknown> {
  const members = Object.keys(Object(example));
  const change = fc.record({
    name: fc.oneof(
      fc.constantFrom(...members, 'visibility', 'agentId', 'supersedes', 'confidence'),
      oddText,
    ),
    value: fc.option(oddValue, { nil: undefined }),
  });
  return fc.oneof(
    fc.constant(example),
    fc
      .array(change, { minLength: 1, maxLength: 3 })
      .map((changes) =>
        changes.reduce<object>(
          (body, { name, value }) => ({ ...body, [name]: value }),
          Object(example),
        ),
      ),
    oddValue,
  );
}

/** A long wait would only slow the test. */
function withoutWait(body: unknown): unknown {
  return isWaiting(body) ? { ...body, wait: 0 } : body;
}

function isWaiting(body: unknown): body is { wait: number } {
  return typeof Object(body).wait === 'number';
}

const request = fc.nat().chain((index) => {
  const route = routes[index % routes.length] ?? {
    method: 'GET',
    path: '/',
    query: [],
    example: {},
  };
  return fc.record({
    method: fc.constant(route.method),
    template: fc.constant(route.path),
    ids: fc.array(pathId, { minLength: 2, maxLength: 2 }),
    query: fc.dictionary(fc.oneof(fc.constantFrom(...route.query, 'x'), oddText), oddText, {
      maxKeys: 2,
    }),
    body: mutated(route.example),
    headers: header,
  });
});

it('answers each random request with success or a problem, never with a status of 500 or more', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ method, template, ids, query, body, headers }) => {
      let index = 0;
      const path = template.replaceAll(/\{\w+\}/g, () => ids[index++] ?? 'x');
      const pairs = Object.entries(query).map((pair) =>
        pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='),
      );
      const search = pairs.filter((pair) => !pair.startsWith('wait=')).join('&');
      const sent = method === 'GET' ? {} : { body: withoutWait(body) };
      const reply = await server.call(method, `${path}?${search}`, { ...sent, headers });
      expect(reply.status).toBeLessThan(500);
      if (reply.status >= 400) {
        expect(reply.headers['content-type']).toContain('application/problem+json');
        expect(reply.body.type).toMatch(/^\/problems\/[a-z-]+$/);
      }
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 1000) },
  );
  const { items } = (await server.get('/v1/contexts?limit=500')).body;
  expect(items.length).toBeGreaterThan(3);
  for (const { contextId, version } of items) {
    const { status, body } = await server.get(`/v1/contexts/${contextId}`);
    expect(status).toBe(200);
    // A list may lag; a document never does.
    expect(body._version).toBeGreaterThanOrEqual(version);
    expect((await server.get(`/v1/contexts/${contextId}/events?limit=500`)).status).toBe(200);
  }
}, 300_000);
