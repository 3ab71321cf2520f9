import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { type Environment } from './credentials.js';
import { runCli } from './main.js';

type ReceivedRequest = Readonly<{
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}>;
type Answer = Readonly<{ status: number; body: unknown; headers?: Record<string, string> }>;

const written = {
  contextId: 'demo',
  version: 4,
  events: [{ eventId: 'e', type: 'StepOutputAdded', version: 4 }],
};

describe('throughline', () => {
  let server: Server;
  let url: string;
  let directory: string;
  let received: ReceivedRequest[];
  let answer: Answer;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'throughline-cli-'));
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method, url: address, headers } = request;
        received.push({ method, url: address, headers, body });
        response.writeHead(answer.status, {
          'content-type': 'application/json',
          ...answer.headers,
        });
        response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on TCP has an address of this shape.
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    received = [];
    answer = { status: 200, body: {} };
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    rmSync(directory, { recursive: true, force: true });
  });

  async function run(args: readonly string[], options: { env?: Environment; input?: string } = {}) {
    const out: string[] = [];
    const err: string[] = [];
    const code = await runCli(args, {
      version: '1.2.3',
      startServer: () => Promise.reject(new Error('the port is taken')),
      startProjector: () => Promise.reject(new Error('there is no database')),
      env: { THROUGHLINE_URL: url, THROUGHLINE_DATA_DIR: directory, ...options.env },
      terminal: {
        write: (line) => out.push(line),
        warn: (line) => err.push(line),
        readInput: () => Promise.resolve(options.input ?? ''),
      },
    });
    return { code, out: out.join('\n'), err: err.join('\n') };
  }

  function problem(status: number, code: string, more: Record<string, unknown> = {}): Answer {
    return {
      status,
      body: { type: `/problems/${code}`, title: 'No', status, detail: 'it is so', ...more },
    };
  }

  describe('with keys', () => {
    beforeEach(() => writeFileSync(join(directory, 'root-key'), 'root-secret\n'));
    afterEach(() => rmSync(join(directory, 'root-key'), { force: true }));

    it('sends the root key of a local server', async () => {
      await run(['me']);
      expect(received[0]?.headers.authorization).toBe('Bearer root-secret');
    });

    it('prefers --key over THROUGHLINE_KEY, and both over the key file', async () => {
      await run(['me'], { env: { THROUGHLINE_KEY: 'mine' } });
      await run(['me', '--key', 'given'], { env: { THROUGHLINE_KEY: 'mine' } });
      expect(received.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer mine',
        'Bearer given',
      ]);
    });

    it('reports the position of an unsupported value in an answer', async () => {
      answer = { status: 200, body: { items: [{ keyId: 5 }], nextCursor: null } };
      const { err } = await run(['key', 'list']);
      expect(err).toContain("the server's answer has an unsupported value at /items/0/keyId");
      expect(err).not.toMatch(/invalid|expected|received/i);
    });

    it('never sends the local root key to another machine', async () => {
      const { resolveConnection } = await import('./credentials.js');
      const env = { THROUGHLINE_DATA_DIR: directory };
      expect(resolveConnection({ url: 'http://127.0.0.1:1' }, env).key).toBe('root-secret');
      expect(resolveConnection({ url: 'http://store.example:1' }, env).key).toBeUndefined();
    });

    it('sends the name of the requested workspace', async () => {
      await run(['context', 'list', '--workspace', 'team-two']);
      expect(received[0]?.headers['workspace']).toBe('team-two');
    });
  });

  it('creates a context and prints its id', async () => {
    answer = { status: 201, body: { ...written, contextId: 'c-1' } };
    const { code, out } = await run(
      [
        'context',
        'create',
        'c-1',
        '--title',
        'A',
        '--workflow',
        'release@3',
        '--input',
        '{"a":1}',
      ].concat('--idempotency-key', 'once'),
    );
    expect({ code, out }).toEqual({ code: 0, out: 'created context c-1' });
    expect(received[0]).toMatchObject({ method: 'POST', url: '/v1/contexts' });
    expect(received[0]?.headers['idempotency-key']).toBe('once');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      contextId: 'c-1',
      title: 'A',
      workflow: { definitionId: 'release', version: 3 },
      input: { a: 1 },
    });
  });

  it.each([
    ['an input that is not JSON', ['--input', '{a}'], 'input: must be JSON'],
    [
      'a workflow without version',
      ['--workflow', 'release'],
      'workflow: must be <definition>@<version>',
    ],
  ])('refuses %s before it sends a request', async (_, options, message) => {
    const { code, err } = await run(['context', 'create', ...options]);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(received).toEqual([]);
  });

  it('sends the JSON of an output unchanged', async () => {
    answer = { status: 201, body: written };
    const value = '{"big": 12345678901234567890.10, "a": 1, "a": 2}';
    const { out } = await run([
      'output',
      'add',
      'demo',
      'plan b/1',
      value,
      '--if-match',
      '3',
      '--name',
      'plan',
    ]);
    expect(received[0]?.url).toBe('/v1/contexts/demo/step-outputs');
    expect(received[0]?.body).toBe(`{"stepId":"plan b/1","name":"plan","output":${value}}`);
    expect(received[0]?.headers['if-match']).toBe('"3"');
    expect(out).toBe('added to step plan b/1, version 4');
  });

  it('reads an output from a file, from standard input, and as plain text', async () => {
    answer = { status: 201, body: written };
    const file = join(directory, 'plan.json');
    writeFileSync(file, '[1]\n');
    await run(['output', 'add', 'demo', 's', '--file', file]);
    await run(['output', 'add', 'demo', 's', '-'], { input: 'null' });
    await run(['output', 'add', 'demo', 's', '-', '--text'], { input: 'two "lines"\n' });
    expect(received.map(({ body }): unknown => JSON.parse(body))).toEqual([
      { stepId: 's', output: [1] },
      { stepId: 's', output: null },
      { stepId: 's', output: 'two "lines"\n' },
    ]);
  });

  it.each([
    ['no output', []],
    ['two outputs', ['1', '--file', 'x.json']],
    ['an unreadable file', ['--file', '/no/such/file.json']],
    ['an output that is not JSON', ['{']],
  ])('refuses %s with exit code 2', async (_, options) => {
    expect((await run(['output', 'add', 'demo', 's', ...options])).code).toBe(2);
    expect(received).toEqual([]);
  });

  it('records a decision and prints its generated id', async () => {
    answer = { status: 201, body: { ...written, decisionId: 'DEC-007' } };
    const { out } = await run(
      [
        'decision',
        'add',
        'demo',
        'Use PostgreSQL',
        '--topic',
        'storage',
        '--confidence',
        '0.9',
      ].concat('--alternative', 'Redis', 'files'),
    );
    expect(out).toBe('recorded decision DEC-007, version 4');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      decision: 'Use PostgreSQL',
      topic: 'storage',
      confidence: 0.9,
      alternativesConsidered: ['Redis', 'files'],
    });
  });

  it('creates a key and shows its secret once', async () => {
    answer = { status: 201, body: { keyId: 'k1', secret: 's3cret', workspace: 'default' } };
    const { out } = await run(['key', 'create', '--agent', 'builder', '--acts-for', 'a', 'b']);
    expect(out).toContain('s3cret');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      role: 'agent',
      agentId: 'builder',
      actsFor: ['a', 'b'],
    });
  });

  it('revokes a key by its encoded id', async () => {
    answer = { status: 204, body: '' };
    expect(await run(['key', 'revoke', 'a/b'])).toMatchObject({ code: 0, out: 'revoked key a/b' });
    expect(received[0]).toMatchObject({ method: 'DELETE', url: '/v1/keys/a%2Fb' });
  });

  it('prints a list as a table and names the next page', async () => {
    const item = {
      status: 'open',
      createdAt: '2026-01-01T00:00:00.000Z',
      phase: null,
      activeAgent: 'ada',
      events: 3,
    };
    answer = {
      status: 200,
      body: {
        items: [
          { ...item, contextId: 'one', title: 'x' },
          { ...item, contextId: 'three', title: null },
        ],
        nextCursor: 'abc',
      },
    };
    const { out } = await run([
      'context',
      'list',
      '--status',
      'open',
      '--updated-since',
      '2026-01-01T00:00:00Z',
    ]);
    expect(received[0]?.url).toBe('/v1/contexts?status=open&updatedSince=2026-01-01T00%3A00%3A00Z');
    expect(out.split('\n')).toEqual([
      'CONTEXT  STATUS  EVENTS  PHASE  AGENT  CREATED                   TITLE',
      'one      open    3       -      ada    2026-01-01T00:00:00.000Z  x',
      'three    open    3       -      ada    2026-01-01T00:00:00.000Z  -',
      '',
      'more: --cursor abc',
    ]);
  });

  it('removes control characters from stored text', async () => {
    const event = {
      version: 1,
      type: 'ContextCreated',
      recordedAt: 't',
      principal: 'evil\u001b[2J',
      data: {},
    };
    answer = { status: 200, body: { items: [event], nextCursor: null } };
    const { out } = await run(['context', 'events', 'demo', '--after', '0']);
    expect(out).toContain('evil\u{FFFD}[2J');
    expect(out).not.toContain('\u001b');
  });

  it('prints the unchanged answer with --json', async () => {
    const body = '{"items": [],  "nextCursor": null, "n": 1.10}';
    answer = { status: 200, body };
    expect(await run(['context', 'list', '--json'])).toMatchObject({ code: 0, out: body });
    expect(await run(['--json', 'key', 'list'])).toMatchObject({ code: 0, out: body });
  });

  it.each([
    [400, 'invalid-header', 2],
    [401, 'unauthenticated', 4],
    [403, 'forbidden', 4],
    [404, 'context-not-found', 4],
    [409, 'decision-topic-taken', 3],
    [412, 'version-conflict', 3],
    [422, 'validation-failed', 2],
    [429, 'rate-limited', 5],
    [503, 'unavailable', 5],
    [500, 'internal', 1],
  ])('maps the problem %i %s to its exit code', async (status, code, exitCode) => {
    answer = problem(status, code);
    const { code: actual, err, out } = await run(['me']);
    expect(actual).toBe(exitCode);
    expect(out).toBe('');
    expect(err).toContain(`it is so (${status} ${code})`);
  });

  it('prints the pointer of every fault', async () => {
    answer = problem(422, 'validation-failed', {
      errors: [{ pointer: '/stepId', detail: 'is too long' }],
    });
    expect((await run(['output', 'add', 'demo', 's', '1'])).err).toContain(
      '\n  /stepId: is too long',
    );
  });

  it('prints a hint about the next step', async () => {
    answer = problem(412, 'version-conflict', { expectedVersion: 3, currentVersion: 5 });
    expect((await run(['output', 'add', 'demo', 's', '1', '--if-match', '3'])).err).toContain(
      '--after 3',
    );
    answer = { ...problem(503, 'unavailable'), headers: { 'retry-after': '2' } };
    expect((await run(['me'])).err).toContain('try again in 2 s');
    answer = problem(409, 'decision-topic-taken');
    expect((await run(['decision', 'add', 'demo', 'x'])).err).toContain('--supersedes');
  });

  it('prints an unchanged problem to stderr with --json', async () => {
    answer = problem(404, 'context-not-found');
    const { err, out } = await run(['context', 'show', 'gone', '--json']);
    expect(out).toBe('');
    expect(JSON.parse(err)).toEqual(answer.body);
  });

  it.each(['127.0.0.1', 'localhost'])(
    'ends with exit code 5 if no server answers on %s',
    async (host) => {
      const closed = createServer().listen(0, '127.0.0.1');
      await once(closed, 'listening');
      const { port } = closed.address() as AddressInfo;
      closed.close();
      const { code, err } = await run(['me', '--url', `http://${host}:${port}`]);
      expect(code).toBe(5);
      expect(err).toContain('ECONNREFUSED');
      expect(err).toContain('throughline start');
    },
  );

  it('does not follow a redirect with its key', async () => {
    answer = { status: 307, body: '', headers: { location: '/elsewhere' } };
    expect(await run(['me'])).toMatchObject({ code: 1, out: '' });
    expect(received).toHaveLength(1);
  });

  it('ends with exit code 1 if the answer is not JSON', async () => {
    answer = { status: 200, body: '<html>' };
    expect(await run(['me'])).toMatchObject({ code: 1, out: '' });
  });

  it.each([true, false, undefined])(
    'passes to the server whether its output is a terminal (%s)',
    async (isTerminal) => {
      const terminalFlags: boolean[] = [];
      await runCli(['start'], {
        version: '1.2.3',
        startServer: (_env, options) => {
          terminalFlags.push(options.isTerminal);
          return Promise.reject(new Error('the port is taken'));
        },
        startProjector: () => Promise.reject(new Error('there is no database')),
        env: {},
        terminal: {
          write: () => undefined,
          warn: () => undefined,
          readInput: () => Promise.resolve(''),
          ...(isTerminal !== undefined && { isTerminal }),
        },
      });
      expect(terminalFlags).toEqual([isTerminal ?? false]);
    },
  );

  it('passes --sign-in-link to the server', async () => {
    const outputs: unknown[] = [];
    await runCli(['start', '--sign-in-link'], {
      version: '1.2.3',
      startServer: (_env, output) => {
        outputs.push(output);
        return Promise.reject(new Error('the port is taken'));
      },
      startProjector: () => Promise.reject(new Error('there is no database')),
      env: {},
      terminal: {
        write: () => undefined,
        warn: () => undefined,
        readInput: () => Promise.resolve(''),
      },
    });
    expect(outputs).toMatchObject([{ isTerminal: false, printsSignInLink: true }]);
  });

  it('ends with exit code 1 and one sentence if the server cannot start', async () => {
    expect(await run(['start'])).toEqual({
      code: 1,
      out: '',
      err: 'throughline: the port is taken',
    });
  });

  it.each([['--help'], ['output', 'add', '--help'], ['--version']])(
    'ends %s with exit code 0',
    async (...args) => {
      const { code, out } = await run(args);
      expect(code).toBe(0);
      expect(out).toMatch(/Examples:|1\.2\.3/);
    },
  );

  it.each([
    [['contex']],
    [['output', 'add', 'demo']],
    [['me', 'too', 'many']],
    [['me', '--colour']],
  ])('refuses %j with exit code 2', async (args) => {
    const { code, err } = await run(args);
    expect(code).toBe(2);
    expect(err).toContain('error:');
  });
});
