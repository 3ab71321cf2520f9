import { readExpectedRights } from './rights/expected-rights.js';
import { createFixtures, hiddenId } from './rights/fixtures.js';
import { type Caller, columnNames, createCallers } from './rights/principals.js';
import { type RouteRequest, requests, usualIds } from './rights/requests.js';
import { rootKey, ThroughlineServer } from './throughline-server.js';

const expected = readExpectedRights();
/** Marks routes whose target is hidden from the audience `developer`. */
const ofHiddenItems = / of hidden$/;

let server: ThroughlineServer;
let callers: readonly Caller[];
let madeIds: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  const otherWorkspace = server.workspaceNamed('abroad');
  callers = await createCallers(server, otherWorkspace);
  madeIds = await createFixtures(server, otherWorkspace);
});

afterAll(() => server.stop());

it('docs/rights.md has a row for each route of OpenAPI, and no other', async () => {
  const { body } = await server.get('/openapi.json', { key: null });
  const declared = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const stated = expected.map(({ route }) => route.replace(ofHiddenItems, ''));
  expect([...new Set(stated)].sort()).toEqual(declared.sort());
  expect(Object.keys(requests).filter((route) => !stated.includes(route))).toEqual([]);
});

it.each(expected.map(({ route, statuses }, index) => [route, statuses, index] as const))(
  '%s answers each kind of key as docs/rights.md says',
  async (route, statuses, index) => {
    const requested = callers.filter((caller) => isRequested(route, caller, index));
    const actual = await Promise.all(
      requested.map(async (caller) => [caller.id, await statusOf(route, caller)] as const),
    );
    expect(Object.fromEntries(actual)).toEqual(
      Object.fromEntries(requested.map(({ id, column, at }) => [id, statuses.get(column)?.[at]])),
    );
  },
);

/**
 * Each caller calls each write. Each read is called with the keys without limits and with one role of each other
 * column: another one for the next route, so that each role occurs with each column.
 */
function isRequested(route: string, { column, at }: Caller, index: number): boolean {
  if (!route.startsWith('GET ') || ['anonymous', 'root', 'whole'].includes(column)) return true;
  return at === (index + columnNames.indexOf(column)) % 4;
}

async function statusOf(route: string, { id, secret }: Caller): Promise<string> {
  const [method = '', template = ''] = route.split(' ');
  const request: RouteRequest = requests[route.replace(ofHiddenItems, '')] ?? {};
  const { query = '', body, lines, ifMatch } = request;
  const contextId = method === 'GET' ? 'read' : 'write';
  const values: Record<string, string> = { contextId, ...usualIds, ...madeIds, ...request.ids };
  const path = template
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name)
    .replace(ofHiddenItems, '');
  const text = lines ?? (body === undefined ? undefined : JSON.stringify(body));
  const ownId = ofHiddenItems.test(route) ? hiddenId(id) : id;
  const { status } = await server.call(method, ownItems(path, ownId) + query, {
    ...(text !== undefined && { text: ownItems(withIds(text), ownId) }),
    key: secret,
    headers: {
      ...(secret === rootKey && { workspace: server.workspace }),
      ...(lines !== undefined && { 'content-type': 'application/x-ndjson' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
  });
  return status < 300 ? 'ok' : String(status);
}

/** Replaces `$<name>` in a body with the id that the server generated under this name. */
function withIds(text: string): string {
  return Object.entries(madeIds).reduce((all, [name, id]) => all.replaceAll(`$${name}`, id), text);
}

function ownItems(text: string, id: string): string {
  return text.replaceAll('$caller', id);
}
