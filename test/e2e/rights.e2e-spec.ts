import { readExpectedRights } from './rights/expected-rights.js';
import { createFixtures, hiddenId } from './rights/fixtures.js';
import { type Caller, columnNames, createCallers } from './rights/principals.js';
import { type RouteRequest, requests, usualIds } from './rights/requests.js';
import { rootKey, ThroughlineServer } from './throughline-server.js';

const expected = readExpectedRights();
/** Ends the row of a route that acts on what the audience `developer` does not see. */
const ofHidden = / of hidden$/;

let server: ThroughlineServer;
let callers: readonly Caller[];
let madeIds: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  const abroad = server.workspaceNamed('abroad');
  callers = await createCallers(server, abroad);
  madeIds = await createFixtures(server, abroad);
});

afterAll(() => server.stop());

it('docs/rights.md has a row for every route of OpenAPI, and no other', async () => {
  const { body } = await server.get('/openapi.json', { key: null });
  const declared = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const stated = expected.map(({ route }) => route.replace(ofHidden, ''));
  expect([...new Set(stated)].sort()).toEqual(declared.sort());
  expect(Object.keys(requests).filter((route) => !stated.includes(route))).toEqual([]);
});

it.each(expected.map(({ route, statuses }, index) => [route, statuses, index] as const))(
  '%s answers each kind of key as docs/rights.md says',
  async (route, statuses, index) => {
    const tried = callers.filter((caller) => isTried(route, caller, index));
    const answered = await Promise.all(
      tried.map(async (caller) => [caller.id, await statusOf(route, caller)] as const),
    );
    expect(Object.fromEntries(answered)).toEqual(
      Object.fromEntries(tried.map(({ id, column, at }) => [id, statuses.get(column)?.[at]])),
    );
  },
);

/**
 * Every caller tries every write. Every read is tried with the keys without limits and with one role of each other
 * column: another one at the next route, so that each role occurs with each column.
 */
function isTried(route: string, { column, at }: Caller, index: number): boolean {
  if (!route.startsWith('GET ') || ['nobody', 'root', 'whole'].includes(column)) return true;
  return at === (index + columnNames.indexOf(column)) % 4;
}

async function statusOf(route: string, { id, secret }: Caller): Promise<string> {
  const [method = '', template = ''] = route.split(' ');
  const request: RouteRequest = requests[route.replace(ofHidden, '')] ?? {};
  const { query = '', body, lines, ifMatch } = request;
  const contextId = method === 'GET' ? 'read' : 'write';
  const values: Record<string, string> = { contextId, ...usualIds, ...madeIds, ...request.ids };
  const path = template
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name)
    .replace(ofHidden, '');
  const text = lines ?? (body === undefined ? undefined : JSON.stringify(body));
  const own = ofHidden.test(route) ? hiddenId(id) : id;
  const { status } = await server.call(method, ownItems(path, own) + query, {
    ...(text !== undefined && { text: ownItems(withMade(text), own) }),
    key: secret,
    headers: {
      ...(secret === rootKey && { workspace: server.workspace }),
      ...(lines !== undefined && { 'content-type': 'application/x-ndjson' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
  });
  return status < 300 ? 'ok' : String(status);
}

/** `$<name>` in a body is what the server made under that name. */
function withMade(text: string): string {
  return Object.entries(madeIds).reduce((all, [name, id]) => all.replaceAll(`$${name}`, id), text);
}

function ownItems(text: string, id: string): string {
  return text.replaceAll('$caller', id);
}
