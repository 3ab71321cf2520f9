import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { placeCluster } from '#testing';

import { runCli } from '../../apps/cli/src/main.js';
import {
  type RunningCommand,
  type ServerProcess,
  startCommand,
  startServerProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';

describe('replays with the throughline command', () => {
  let directory: string;
  let env: Record<string, string>;
  let server: ServerProcess;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'throughline-e2e-'));
    env = {
      THROUGHLINE_DATA_DIR: join(directory, 'data'),
      THROUGHLINE_ADMIN_KEY: 'root-key-of-this-test',
    };
    await placeCluster(join(directory, 'data'));
    server = await startServerProcess(env);
    const { port } = new URL(server.address);
    env = {
      ...env,
      THROUGHLINE_URL: server.address,
      THROUGHLINE_KEY: 'root-key-of-this-test',
      THROUGHLINE_PORT: port,
    };
    await fill('talk');
  }, 60_000);

  afterAll(async () => {
    await stopServerProcesses();
    rmSync(directory, { recursive: true, force: true });
  }, 60_000);

  async function run(...args: string[]): Promise<string> {
    const { code, out, err } = await throughline(args, env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out;
  }

  const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));
  const jsonLines = (out: string) =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  /** Writes over HTTP: other suites test the commands that write. */
  async function post(path: string, body: object, headers = {}): Promise<void> {
    const { status } = await fetch(`${server.address}/v1/contexts${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${env['THROUGHLINE_KEY']}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    expect(status).toBe(201);
  }

  const add = (context: string, stepId: string, output: unknown) =>
    post(`/${context}/step-outputs`, { stepId, output });

  /** Creates a context: creation, an output, a decision, a new output of the same step, a superseding decision. */
  async function fill(contextId: string): Promise<void> {
    await post('', { contextId, title: 'Checkout' });
    await add(contextId, 'plan', 'first\nsecond\nthird');
    const decide = (decision: object) =>
      post(`/${contextId}/decisions`, { topic: 'storage', ...decision });
    await decide({ decision: 'Use files' });
    await add(contextId, 'plan', 'first\nchanged\nthird');
    await decide({ decision: 'Use PostgreSQL', supersedes: 'DEC-001' });
  }

  it('print each step with its changes if the output is not a terminal', async () => {
    const out = await run('replay', 'talk');
    expect(out.match(/^version \d/gm)).toHaveLength(5);
    expect(out).toMatch(/stepOutputs plan\n(.*\n)*? {4}- {3}second\n {4}\+ {3}changed\n/);
    expect(out).toMatch(/decisionHistory DEC-001\n(.*\n)*? {4}- live: true\n/);
    expect(out).not.toContain('\u001b');
  });

  it('print one JSON object per event, with the parts before and after', async () => {
    const steps = jsonLines(await run('replay', 'talk', '--json'));
    expect(steps.map(({ event }) => event.version)).toEqual([1, 2, 3, 4, 5]);
    expect(steps[3].changed).toEqual(
      expect.arrayContaining([
        {
          part: 'stepOutputs',
          key: 'plan',
          before: expect.objectContaining({ output: 'first\nsecond\nthird', version: 2 }),
          after: expect.objectContaining({ output: 'first\nchanged\nthird', version: 4 }),
        },
      ]),
    );
  });

  it('omit events of other types, agents and steps', async () => {
    const versions = async (...filter: string[]) =>
      jsonLines(await run('replay', 'talk', '--json', ...filter)).map(({ event }) => event.version);
    expect(await versions('--type', 'DecisionRecorded')).toEqual([3, 5]);
    expect(await versions('--step', 'plan')).toEqual([2, 4]);
    expect(await versions('--agent', 'admin')).toHaveLength(5);
    expect(await versions('--agent', 'nobody')).toEqual([]);
  });

  it('step forward and back, to a version and through a filter, in color, for a person', async () => {
    const typed = ['', '', 'b', '5', 's plan', 'b', 'c', '77', '?', 'q', 'never read'];
    const [shown, prompts]: [string[], string[]] = [[], []];
    const code = await runCli(['replay', 'talk'], {
      version: '0',
      startServer: () => Promise.reject(new Error('not here')),
      startProjector: () => Promise.reject(new Error('not here')),
      env,
      terminal: {
        write: (text) => shown.push(text),
        warn: (text) => shown.push(text),
        readInput: () => Promise.resolve(''),
        colors: true,
        openDialogue: () => ({
          ask: (prompt) => {
            prompts.push(prompt);
            return Promise.resolve(typed.shift());
          },
          close: () => undefined,
        }),
      },
    });
    expect(code).toBe(0);
    expect(shown.map((text) => /version (\d)  /.exec(text)?.[1] ?? text.slice(0, 12))).toEqual([
      '1',
      '2',
      '3',
      '2',
      '5',
      '4',
      '2',
      '2',
      'no matching ',
      'Enter or n  ',
    ]);
    expect(shown[5]).toContain('\u001b[32m  +   changed\u001b[0m');
    expect(shown[5]).toContain('\u001b[31m  -   second\u001b[0m');
    expect(prompts[5]).toContain('[4/5 plan]');
    expect(typed).toEqual(['never read']);
  });

  it('compare two versions, and show the changes since a version', async () => {
    const out = await run('diff', 'talk', '3', '5');
    expect(out).toContain('talk  version 3 to 5');
    expect(out).toMatch(/^Decisions made\n {2}decisionHistory DEC-002\n/m);
    expect(out).toMatch(/^Decisions superseded\n {2}decisionHistory DEC-001\n/m);
    expect(await json('diff', 'talk', '3', '5')).toMatchObject({ from: 3, to: 5 });
    expect(await run('diff', 'talk', '5')).toBe('talk  version 5 to 5: no difference');
    const changes = await run('changes', 'talk', '--since', '4');
    expect(changes).toMatch(
      /^5 +\S+ +admin +decided DEC-002: Use PostgreSQL \(supersedes DEC-001\)$/m,
    );
    expect(changes).toContain('Decisions superseded');
    const { code, err } = await throughline(['diff', 'talk', '5', '3'], env);
    expect([code, err]).toEqual([2, expect.stringContaining('exchange the two')]);
  });

  it('read events as of a version', async () => {
    expect((await json('context', 'events', 'talk', '--as-of', '2')).items).toHaveLength(2);
  });

  it('draw the effects of an event', async () => {
    const { items } = await json('context', 'events', 'talk');
    const [trace] = items;
    await post('/talk/close', {}, { 'causation-id': trace.eventId });
    const out = await run('trace', trace.eventId);
    expect(out).toMatch(
      /^\* talk@1 ContextCreated by admin: created: Checkout \(.+\)\n└─ talk@6 ContextClosed by admin/,
    );
    expect((await json('trace', trace.eventId)).nodes).toHaveLength(2);
    expect((await throughline(['trace', 'nonsense'], env)).code).toBe(4);
  });

  describe('following events', () => {
    let tail: RunningCommand | undefined;
    afterEach(() => tail?.stop('SIGKILL'));

    const lines = () => (tail?.output().out ?? '').split('\n').filter(Boolean);
    const shows = (count: number) => tail?.said(() => lines().length >= count);

    it('shows events of all contexts as they arrive, and exits with 0 on Ctrl-C', async () => {
      tail = startCommand(['tail', '--json', '--from-start'], env);
      await shows(6);
      const before = lines().length;
      await post('', { contextId: 'new' });
      await shows(before + 1);
      expect(JSON.parse(lines().at(-1) ?? '')).toMatchObject({ contextId: 'new', version: 1 });
      expect(await tail.stop()).toMatchObject({ code: 0, err: '' });
    });

    it('of one context works for a key that may not read the feed', async () => {
      const { secret } = await json('key', 'create', '--role', 'agent', '--agent', 'ada');
      await post('', { contextId: 'followed' });
      tail = startCommand(['tail', 'followed', '--from-start'], {
        ...env,
        THROUGHLINE_KEY: secret,
      });
      await shows(1);
      await add('followed', 'plan', 1);
      await shows(2);
      expect(lines()[1]).toMatch(/ 2 StepOutputAdded by admin \{"stepId":"plan","output":1\}$/);
      expect((await tail.stop('SIGTERM')).code).toBe(0);
      const refused = await throughline(['tail'], { ...env, THROUGHLINE_KEY: secret });
      expect(refused.code).toBe(4);
    });

    it('neither skips nor repeats an event when the server is killed and restarted', async () => {
      await post('', { contextId: 'survivor' });
      tail = startCommand(['tail', 'survivor', '--json', '--from-start'], env);
      await shows(1);
      await add('survivor', 's', 1);
      await shows(2);
      await server.stop('SIGKILL');
      await tail.said(({ err }) => err.includes('does not answer'));
      server = await startServerProcess(env);
      for (const n of [2, 3, 4]) await add('survivor', 's', n);
      await shows(5);
      expect(lines().map((line) => JSON.parse(line).version)).toEqual([1, 2, 3, 4, 5]);
      expect((await tail.stop()).err).toMatch(/answers again$/);
    });
  });
});
