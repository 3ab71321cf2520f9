import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { runCli } from '../main.js';

type ReceivedRequest = Readonly<{
  method: string | undefined;
  url: string | undefined;
  body: string;
  basedOn: unknown;
}>;

const written = { contextId: 'c', version: 4, events: [{ eventId: 'e', type: 'T', version: 4 }] };

describe('commands about runs', () => {
  let server: Server;
  let url: string;
  let directory: string;
  let received: ReceivedRequest[];
  /** By method and path, without the query. */
  let answers: Record<string, readonly unknown[]>;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'throughline-cli-'));
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method, url: address = '' } = request;
        const [place] = address.split('?');
        const isSame = (one: ReceivedRequest) =>
          one.method === method && one.url?.split('?')[0] === place;
        const prepared = answers[`${method} ${place}`] ?? [];
        const answer = prepared[Math.min(received.filter(isSame).length, prepared.length - 1)];
        received.push({ method, url: address, body, basedOn: request.headers['based-on'] });
        response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on TCP has an address of this shape.
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    received = [];
    answers = {};
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    rmSync(directory, { recursive: true, force: true });
  });

  async function run(args: readonly string[]) {
    const out: string[] = [];
    const err: string[] = [];
    const code = await runCli(args, {
      version: '1.2.3',
      startServer: () => Promise.reject(new Error('no server is needed')),
      startProjector: () => Promise.reject(new Error('no projector is needed')),
      env: { THROUGHLINE_URL: url, THROUGHLINE_DATA_DIR: directory, PATH: process.env['PATH'] },
      terminal: {
        write: (line) => out.push(line),
        warn: (line) => err.push(line),
        readInput: () => Promise.resolve(''),
      },
    });
    return { code, out: out.join('\n'), err: err.join('\n') };
  }

  const published = { definitionId: 'w', version: 3, description: 'Builds features' };
  const startable = () => ({
    'POST /v1/workflows': [{ ...published, warnings: [{ message: 'may loop' }] }],
    'GET /v1/workflows/w': [published],
    'GET /v1/workflows/w/versions/2': [{ ...published, version: 2 }],
    'POST /v1/contexts': [written],
    'POST /v1/contexts/c/run': [{ ...written, runId: 'r' }],
    'POST /v1/contexts/own/run': [{ ...written, contextId: 'own', runId: 'r' }],
  });

  it('publish a file, create a context with its title, and start the published version', async () => {
    answers = startable();
    const file = join(directory, 'w.json');
    const input = join(directory, 'input');
    writeFileSync(file, '{}');
    writeFileSync(input, '{"n": 1.10000000000000000001}');
    expect(await run(['run', file, '--input', `@${input}`])).toEqual({
      code: 0,
      out: 'run r of w@3 in context c',
      err: 'warning: may loop\nnext: throughline run show c',
    });
    expect(received.map(({ method, url: address, body }) => [method, address, body])).toEqual([
      ['POST', '/v1/workflows', '"{}"'],
      [
        'POST',
        '/v1/contexts',
        '{"title":"Builds features","workflow":{"definitionId":"w","version":3}}',
      ],
      [
        'POST',
        '/v1/contexts/c/run',
        '{"definitionId":"w","version":3,"input":{"n": 1.10000000000000000001}}',
      ],
    ]);
  });

  it('close the context that was created for a run if the run is refused', async () => {
    const answersWithoutRun = Object.entries(startable()).filter(
      ([name]) => name !== 'POST /v1/contexts/c/run',
    );
    answers = { ...Object.fromEntries(answersWithoutRun), 'POST /v1/contexts/c/close': [written] };
    const { code, err } = await run(['run', 'w']);
    expect([code, err.split('\n')[0]]).toEqual([4, 'context c, created for the run, is closed']);
    const { method, url: address, body = '' } = received.at(-1) ?? {};
    expect([method, address]).toEqual(['POST', '/v1/contexts/c/close']);
    expect(JSON.parse(body)).toEqual({
      outcome: 'skipped',
      reason: expect.stringMatching(/^its run was refused: /),
    });
    answers = { 'GET /v1/workflows/w': [published] };
    await run(['run', 'w', '--context', 'own']);
    expect(received.at(-1)?.url).toBe('/v1/contexts/own/run');
  });

  it('start the version in force, or another one, in an existing context', async () => {
    answers = startable();
    await run(['run', 'w', '--context', 'own']);
    await run(['run', 'w', '--context', 'own', '--version-number', '2']);
    const bodies = received.filter(({ url: address }) => address === '/v1/contexts/own/run');
    expect(bodies.map(({ body }) => body)).toEqual([
      '{"definitionId":"w","version":3}',
      '{"definitionId":"w","version":2}',
    ]);
  });

  it('refuse an input that is not JSON', async () => {
    const { code, err } = await run(['run', 'w', '--input', 'Add a dark mode']);
    expect([code, received]).toEqual([2, []]);
    expect(err).toContain(`--input '"like this"'`);
  });

  const event = (version: number, type: string, data: object) => ({
    eventId: `e${version}`,
    type,
    version,
    data: { runId: 'r', ...data },
  });
  const view = (status: string, more: object = {}) => ({
    runId: 'r',
    definition: { definitionId: 'w', version: 3 },
    status,
    reason: null,
    startedAt: '2026-11-25T12:00:00Z',
    endedAt: null,
    output: null,
    active: [],
    results: [],
    ...more,
  });

  it('print the progress and the approvals of a run with --wait', async () => {
    const approval = { approvalId: 'c~r~ok~1', message: 'Ship it?' };
    answers = {
      ...startable(),
      'GET /v1/contexts/c/events': [
        {
          items: [
            event(4, 'StepScheduled', { path: 'plan#1', attempt: 1, agent: 'planner' }),
            event(5, 'StepAttemptFailed', {
              path: 'plan#1',
              attempt: 1,
              code: 'exit-1',
              reason: 'no',
            }),
            event(6, 'StepRouted', { path: 'plan#1', outcome: 'completed' }),
            event(7, 'ApprovalRequested', { path: 'ok#1' }),
            event(8, 'StepRouted', { runId: 'another', path: 'other#1', outcome: 'completed' }),
          ],
          nextCursor: null,
        },
        {
          items: [
            event(9, 'ApprovalDecided', { path: 'ok#1', decision: 'approved', comment: 'go' }),
            event(10, 'StepRouted', { path: 'ok#1', outcome: 'approved' }),
            event(11, 'RunCompleted', { outcome: 'completed' }),
          ],
          nextCursor: null,
        },
      ],
      'GET /v1/contexts/c/run': [
        view('running', { active: [{ stepId: 'ok', path: 'ok#1', status: 'asking', approval }] }),
        view('completed', { output: { passed: 5 } }),
      ],
    };
    const { code, out } = await run(['run', 'w', '--wait']);
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        'run r of w@3 in context c',
        'plan#1 waits for planner',
        'plan#1 failed in attempt 1: exit-1: no',
        'plan#1 completed',
        'ok#1 waits for a person: Ship it?',
        'next: throughline approval approve c~r~ok~1',
        'next: throughline approval reject c~r~ok~1 --comment <why>',
        'ok#1 approved: go',
        'output: {"passed":5}',
        'the run has completed',
      ],
    ]);
    const requests = received.filter(({ url: address }) => address?.includes('/events'));
    expect(requests.map(({ url: address }) => /after=(\d+)/.exec(address ?? '')?.[1])).toEqual([
      '3',
      '8',
    ]);
  });

  it.each([
    ['rejected', 'RunCompleted', 6],
    ['failed', 'RunFailed', 7],
    ['cancelled', 'RunCancelled', 8],
  ])('end with a specific exit code if a run with --wait is %s', async (status, type, exitCode) => {
    answers = {
      ...startable(),
      'GET /v1/contexts/c/events': [{ items: [event(5, type, {})], nextCursor: null }],
      'GET /v1/contexts/c/run': [view(status, { reason: 'so it is' })],
    };
    const { code, err } = await run(['run', 'w', '--wait', '--json']);
    expect(code).toBe(exitCode);
    expect(err).toContain('so it is');
  });

  it('list runs with the agents and people they wait for', async () => {
    const { definition, status, startedAt } = view('running');
    const run1 = { contextId: 'c', definition, status, startedAt, endedAt: null };
    const waitsFor = [
      { kind: 'person', stepId: 'ok', path: 'ok#1', since: '2026-11-25T12:01:00Z' },
      { kind: 'agent', agent: 'coder', stepId: 'code', path: 'code#2' },
    ];
    answers = { 'GET /v1/runs': [{ items: [{ ...run1, waitsFor }], nextCursor: 'more' }] };
    const { out } = await run(['run', 'list', '--state', 'running', '--definition', 'w']);
    expect(received[0]?.url).toBe('/v1/runs?state=running&definition=w');
    expect(out).toMatch(
      /^c +w@3 +running .*a person \(ok#1\), coder \(code#2\) +2026-11-25T12:01/m,
    );
    expect(out).toContain('more: --cursor more');
  });

  describe('draw a run', () => {
    const definition = { id: 'w', steps: [{ id: 'a', type: 'agent', agent: 'coder' }] };
    const [hash, version] = ['ab'.repeat(32), 3];
    const drawn = (members: object) => {
      const active = [{ stepId: 'a', visit: 1, attempt: 1, status: 'scheduled', agent: 'coder' }];
      const startedWith = { definitionId: 'w', version, hash, ...members };
      return view('running', { definition: startedWith, active });
    };

    it('with the definition that it was started with', async () => {
      answers = {
        'GET /v1/contexts/c/run': [drawn({})],
        'GET /v1/workflows/w/versions/3': [{ definitionId: 'w', version, hash, definition }],
      };
      const { code, out } = await run(['run', 'show', 'c', '--mermaid']);
      expect([code, out]).toEqual([
        0,
        expect.stringContaining('s0["a<br>coder<br>waits for coder"]'),
      ]);
      const { out: json } = await run(['run', 'show', 'c', '--mermaid', '--json']);
      expect(JSON.parse(json)).toEqual({ runId: 'r', mermaid: `${out}\n` });
    });

    it('only if the server has the same definition', async () => {
      answers = {
        'GET /v1/contexts/c/run': [drawn({ hash: 'cd'.repeat(32) })],
        'GET /v1/workflows/w/versions/3': [{ definitionId: 'w', version, hash, definition }],
      };
      const { code, out, err } = await run(['run', 'show', 'c', '--mermaid']);
      expect([code, out]).toEqual([4, '']);
      expect(err).toContain('is not the definition that it was started with (hash cdcd');
    });
  });

  it('pause, resume and cancel a run', async () => {
    const stored = (...types: string[]) => ({
      contextId: 'c',
      version: 9,
      events: types.map((type) => ({ eventId: 'e', type, version: 9 })),
    });
    answers = {
      'POST /v1/contexts/c/run/pause': [stored('RunPaused'), stored()],
      'POST /v1/contexts/c/run/resume': [stored('RunResumed')],
      'POST /v1/contexts/c/run/cancel': [
        stored('RunCancelRequested'),
        stored(),
        stored('RunCancelled'),
      ],
    };
    const outputOf = async (...args: string[]) => (await run(['run', ...args])).out;
    expect(await outputOf('pause', 'c', '--reason', 'lunch')).toBe('the run in c is paused');
    expect(await outputOf('pause', 'c')).toBe('the run in c was paused already');
    expect(await outputOf('resume', 'c')).toBe('the run in c is resumed');
    expect(await outputOf('cancel', 'c')).toBe('the run in c is being cancelled');
    expect(await outputOf('cancel', 'c')).toBe('the run in c was being cancelled already');
    expect(await outputOf('cancel', 'c', '--grace', '0')).toBe('the run in c was cancelled');
    expect(received.map(({ body }) => body)).toEqual([
      '{"reason":"lunch"}',
      '{}',
      '{}',
      '{}',
      '{}',
      '{"graceMs":0}',
    ]);
  });

  it('decide the approvals of runs', async () => {
    const id = 'c~r~ok~1';
    const address = `/v1/approvals/${id}`;
    answers = {
      [`POST ${address}/approve`]: [written, { ...written, events: [] }],
      [`POST ${address}/reject`]: [written],
      [`POST ${address}/answer`]: [written],
    };
    const outputOf = async (...args: string[]) => (await run(['approval', ...args])).out;
    expect(await outputOf('approve', id, '--comment', 'good')).toBe('approved');
    expect(await outputOf('approve', id)).toBe('was approved already');
    expect(await outputOf('reject', id, '--based-on', 'r1.a.b')).toBe('rejected');
    expect(await outputOf('answer', id, 'output', '--output', '[1.0]')).toBe('answered: output');
    expect(received.map(({ body }) => body)).toEqual([
      '{"comment":"good"}',
      '{}',
      '{}',
      '{"action":"output","output":[1.0]}',
    ]);
    expect(received.map(({ basedOn }) => basedOn)).toEqual([
      undefined,
      undefined,
      'r1.a.b',
      undefined,
    ]);
    const refused = await run(['approval', 'answer', id, 'retry', '--output', '1']);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--output')]);
  });

  it('claim nothing for a program that does not exist', async () => {
    const { code, err } = await run(['work', '--agent', 'a', '--command', './gone']);
    expect([code, received]).toEqual([2, []]);
    expect(err).toContain('cannot run ./gone');
  });
});
