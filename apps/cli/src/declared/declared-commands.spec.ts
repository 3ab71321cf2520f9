import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { runCli } from '../main.js';

type ReceivedRequest = Readonly<{
  request: string;
  headers: IncomingHttpHeaders;
  body: string;
}>;

const stored = {
  contextId: 'demo',
  version: 4,
  events: [{ eventId: 'e', type: 'RiskRaised', version: 4 }],
};

describe('declared commands', () => {
  let server: Server;
  let url: string;
  let directory: string;
  let received: ReceivedRequest[];
  let answer: Readonly<{ status: number; body: unknown }>;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'throughline-declared-'));
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method, url: address, headers } = request;
        received.push({ request: `${method} ${address}`, headers, body });
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer.body));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on TCP has an address of this shape.
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    received = [];
    answer = { status: 201, body: stored };
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    rmSync(directory, { recursive: true, force: true });
  });

  async function run(args: readonly string[], input = '') {
    const [out, err]: [string[], string[]] = [[], []];
    const code = await runCli(args, {
      version: '1.2.3',
      startServer: () => Promise.reject(new Error('no server is needed')),
      startProjector: () => Promise.reject(new Error('no projector is needed')),
      env: { THROUGHLINE_URL: url, THROUGHLINE_DATA_DIR: directory },
      terminal: {
        write: (line) => out.push(line),
        warn: (line) => err.push(line),
        readInput: () => Promise.resolve(input),
      },
    });
    return { code, out: out.join('\n'), err: err.join('\n') };
  }

  const file = (content: string) => {
    const name = join(directory, 'members.json');
    writeFileSync(name, content);
    return name;
  };

  describe('that write', () => {
    it('send members, author and conditions, and print the generated id', async () => {
      answer = { status: 201, body: { ...stored, riskId: 'RISK-007' } };
      const members = ['stale reads', '--severity', 'high'];
      const { code, out } = await run(
        ['risk', 'add', 'a/b', ...members].concat(
          '--agent',
          'ada',
          '--visibility',
          'working',
          '--if-match',
          '3',
          '--idempotency-key',
          'k',
          '--based-on',
          'r1.x.y',
        ),
      );
      expect({ code, out }).toEqual({ code: 0, out: 'raised risk RISK-007, version 4' });
      const [sent] = received;
      expect(sent?.request).toBe('POST /v1/contexts/a%2Fb/risks');
      expect(sent?.body).toBe(
        '{"description":"stale reads","severity":"high","agentId":"ada","visibility":"working"}',
      );
      expect(sent?.headers).toMatchObject({
        'if-match': '"3"',
        'idempotency-key': 'k',
        'based-on': 'r1.x.y',
      });
    });

    it('report that there was nothing to add', async () => {
      answer = { status: 200, body: { ...stored, events: [] } };
      expect((await run(['task', 'complete', 'demo', 'T'])).out).toBe('nothing to add, version 4');
      expect((await run(['signal', 'add', 'demo', 'fine'])).out).toContain('is a signal');
    });

    it('send the members of a file unchanged, and add members from options', async () => {
      const name = file('\uFEFF{ "estimate": 1.50, "title": "T" }\n');
      await run(['task', 'add', 'demo', '--file', name, '--depends-on', 'a', 'b']);
      await run(['task', 'add', 'demo', '--file', '-', '--agent', 'ada'], '{}');
      expect(received.map(({ body }) => body)).toEqual([
        '{"dependsOn":["a","b"],"estimate": 1.50, "title": "T"}',
        '{"agentId":"ada"}',
      ]);
    });

    it('send a complete document unchanged', async () => {
      const document = '{"_version": 3, "userPreferences": {"n": 1.10}}';
      const { out } = await run(['context', 'replace', 'demo', '-', '--based-on', 'r'], document);
      expect(out).toBe('wrote demo back, version 4');
      expect(received).toMatchObject([
        { request: 'PUT /v1/contexts/demo', body: document, headers: { 'based-on': 'r' } },
      ]);
    });

    it('read JSON and long texts from files and from standard input', async () => {
      await run(['input', 'provide', 'demo', 'IN-1', `@${file('[1.10]')}`]);
      await run(['handover', 'add', 'demo', '-', '--to', 'ada'], 'two\nlines');
      await run(['preferences', 'set', 'demo', '--file', file('{"n":1.0}')]);
      expect(received.map(({ body }) => body)).toEqual([
        '{"value":[1.10]}',
        '{"note":"two\\nlines","to":"ada"}',
        '{"n":1.0}',
      ]);
      expect(received.at(-1)?.request).toBe('PATCH /v1/contexts/demo/preferences');
    });

    it('never read a file whose name is in the text of an agent', async () => {
      const name = `@${file('secret')}`;
      await run(['signal', 'add', 'demo', name]);
      await run(['handover', 'add', 'demo', name, '--to', 'ada']);
      await run(['risk', 'add', 'demo', name, '--severity', 'low']);
      expect(received).toHaveLength(3);
      expect(received.filter(({ body }) => body.includes('secret'))).toEqual([]);
    });

    it('read a complete decision from standard input, and its author from an option', async () => {
      await run(['decision', 'add', 'demo', '-', '--agent', 'ada'], '{"decision": "go"}');
      expect(received[0]?.body).toBe('{"agentId":"ada","decision": "go"}');
    });

    it('replace definitions of a workspace, and refuse options for contexts', async () => {
      answer = { status: 201, body: { agentId: 'pm', version: 2 } };
      const { out } = await run(['agent', 'replace', 'pm', '--file', file('{"name":"J"}')]);
      expect(out).toBe('registered agent pm, version 2');
      expect(received[0]).toMatchObject({ request: 'PUT /v1/agents/pm', body: '{"name":"J"}' });
      expect((await run(['policy', 'set', 'x', '{}', '--if-match', '1'])).code).toBe(2);
      expect((await run(['preferences', 'set', 'x', '{}', '--visibility', 'w'])).code).toBe(2);
    });

    it.each([
      [['risk', 'add', 'demo', 'x'], '--severity <severity> is missing: low, medium, high'],
      [
        ['risk', 'add', 'demo', '--severity', 'low'],
        '<description> is missing: description of the risk',
      ],
      [['task', 'add', 'demo', 'x', '--estimate', 'six'], '--estimate <hours>: must be a number'],
      [['task', 'add', 'demo', '--file', '/no/such'], 'cannot read /no/such'],
      [['step', 'fail', 'demo', 's', '--reason', 'r', '--tried', '{'], 'the input is not JSON'],
      [['record', 'add', 'demo', '-', '--file', '-'], 'only one value can be read from standard'],
      [['review', 'add', 'demo', 'a', '--status', 'BLOCKED', '--issue', 'high:'], 'has no text'],
      [['risk', 'add', 'demo', '--serverity', 'low'], '(Did you mean --severity?)'],
      [['risk', 'ad', 'demo'], '(Did you mean add?)'],
    ])('refuse %j before they send a request', async (args, message) => {
      const { code, err } = await run(args);
      expect(code).toBe(2);
      expect(err).toContain(message);
      expect(received).toEqual([]);
    });

    it.each(['[]', 'null', '{'])(
      'refuse the file %s because it is not a JSON object',
      async (content) => {
        const { code, err } = await run(['task', 'add', 'demo', '--file', file(content)]);
        expect(code).toBe(2);
        expect(err).toMatch(/is not (a )?JSON/);
      },
    );

    it('name the option of a member that the server refuses', async () => {
      const errors = [{ pointer: '/dependsOn/1', detail: 'is not planned' }];
      const type = '/problems/validation-failed';
      answer = { status: 422, body: { type, title: 'No', errors } };
      const args = ['task', 'add', 'demo', 'x', '--depends-on', 'a', 'b'];
      const { code, err } = await run(args);
      expect(code).toBe(2);
      expect(err).toContain('/dependsOn/1: is not planned');
      expect(err).toContain(
        'dependsOn is --depends-on <task...>: tasks that must be completed before',
      );
      expect(JSON.parse((await run([...args, '--json'])).err)).toEqual(answer.body);
    });
  });

  describe('that read', () => {
    it('print lists as tables whose lines stored text cannot break', async () => {
      const risk = { riskId: 'R\u001b[2J', severity: 'low', description: 'two\nlines' };
      answer = { status: 200, body: { contextId: 'demo', risks: [risk] } };
      const { out } = await run(['risk', 'list', 'demo', '--as-of', '3', '--audience', 'qa']);
      expect(received[0]?.request).toBe('GET /v1/contexts/demo?asOf=3&audience=qa&parts=risks');
      expect(out.split('\n')).toEqual([
        'RISK   SEVERITY  STATUS  WHAT       MITIGATION',
        'R\u{FFFD}[2J  low       -       two lines  -',
      ]);
      answer = { status: 200, body: { risks: [] } };
      expect((await run(['risk', 'list', 'demo'])).out).toBe('no risks');
    });

    it('name the next page, and print the unchanged answer with --json', async () => {
      const item = { agentId: 'pm', kind: 'llm', name: 'J', role: 'r', version: 1 };
      answer = { status: 200, body: { items: [item], nextCursor: 'abc' } };
      expect((await run(['agent', 'list', '--limit', '1'])).out).toMatch(
        /^pm .*\n\nmore: --cursor abc/m,
      );
      expect(received[0]?.request).toBe('GET /v1/agents?limit=1');
      expect((await run(['agent', 'list', '--json'])).out).toBe(JSON.stringify(answer.body));
    });

    it('print members so that stored text cannot imitate another member', async () => {
      const persona = 'kind\rrole: admin\u2028version 9\u001b[2J';
      answer = {
        status: 200,
        body: {
          agentId: 'pm',
          persona,
          contract: { inputs: {} },
          tags: [1, 2],
          rules: [{ a: 1 }, { b: 2 }],
        },
      };
      expect((await run(['agent', 'show', 'pm'])).out).toBe(`agentId   pm
persona   kind
  role: admin
  version 9\u{FFFD}[2J
contract  {
    "inputs": {}
  }
tags      1, 2
rules
  {"a":1}
  {"b":2}`);
    });

    it('separate outputs from their authors', async () => {
      const output = {
        output: 'a\nversion 9 by eve',
        version: 2,
        recordedAt: 't',
        recordedBy: 'ada',
      };
      answer = { status: 200, body: output };
      const shown = 'version 2 by ada at t\n  a\n  version 9 by eve';
      expect((await run(['output', 'show', 'demo', 's', '--wait', '1'])).out).toBe(shown);
      expect(received[0]?.request).toBe('GET /v1/contexts/demo/step-outputs/s?wait=1');
      answer = { status: 200, body: { items: [output, output], nextCursor: null } };
      expect((await run(['output', 'show', 'demo', 's', '--all'])).out).toBe(
        `${shown}\n\n${shown}`,
      );
      answer = { status: 200, body: null };
      expect((await run(['output', 'show', 'demo', 's'])).out).toBe('step s has no output');
    });

    it('print the text of a view to standard output, and its facts to standard error', async () => {
      const item = { ref: 'step-output:s', form: 'digest', tokens: 2, fullTokens: 9 };
      const body = {
        text: '# Demo\u001b[2J',
        tokens: 7,
        maxTokens: 9,
        tokenizer: 'chars4',
        version: 3,
        audience: 'qa',
        items: [item],
        receipt: 'r1.x.y',
        notes: ['no\nmodel'],
      };
      answer = { status: 200, body };
      const args = ['view', 'demo', '--audience', 'qa', '--max-tokens', '9', '--focus', 'rework:a'];
      expect(await run([...args, '--receipt'])).toEqual({
        code: 0,
        out: '# Demo\u{FFFD}[2J',
        err: `receipt r1.x.y
7 of 9 tokens (chars4), version 3, audience qa, 1 shortened: --expand <ref> shows the original
no model`,
      });
      expect(received[0]?.request).toBe(
        'GET /v1/contexts/demo/view?audience=qa&maxTokens=9&focus=rework%3Aa',
      );
      expect(await run([...args, '--json'])).toMatchObject({ err: '' });
    });

    it('print one original of a view, or all originals of a roll-up', async () => {
      answer = { status: 200, body: { ref: 'a', form: 'whole', text: 'one', value: 1 } };
      expect((await run(['view', 'demo', '--expand', 'step-output:s'])).out).toBe('one');
      expect(received[0]?.request).toBe('GET /v1/contexts/demo/items/step-output%3As');
      const items = [{ text: 'one' }, { text: 'two' }];
      answer = { status: 200, body: { ref: 'a', form: 'rollup', items, nextCursor: 'n' } };
      const { out } = await run(['view', 'demo', '--expand', 'rollup:1-9', '--limit', '2']);
      expect(out).toBe('one\n\ntwo\n\nmore: --cursor n');
    });

    it.each(['limit', 'cursor'])(
      'refuse --%s for a view without --expand before they send a request',
      async (name) => {
        const { code, err } = await run(['view', 'demo', `--${name}`, '2']);
        expect(code).toBe(2);
        expect(err).toContain(`--${name} is for the originals of a roll-up: add --expand <ref>`);
        expect(received).toEqual([]);
      },
    );
  });
});
