import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { placeCluster, waitFor } from '#testing';

import { currentAnswer } from './caught-up.js';
import {
  type ProcessResult,
  type RunningCommand,
  type ServerProcess,
  startCommand,
  startServerProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';
import { ThroughlineServer, rootKey } from './throughline-server.js';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

let directory: string;
let server: ThroughlineServer;
/** Commands that run until they are stopped. */
const commands = new Set<RunningCommand>();

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'throughline-run-cli-'));
  // PostgreSQL runs as another user if the tests run as root.
  chmodSync(directory, 0o755);
  // Heartbeats are sent three times per lease, so that their answers arrive soon.
  server = await ThroughlineServer.start({ THROUGHLINE_RUN_LEASE_MS: '3000' });
}, 120_000);

afterEach(async () => {
  await Promise.all([...commands].map(stopAtOnce));
  commands.clear();
});

afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}, 60_000);

const env = () => ({ THROUGHLINE_URL: server.url, THROUGHLINE_KEY: rootKey });
const cli = (...args: string[]): Promise<ProcessResult> => throughline(args, env());

function start(args: readonly string[], key?: string): RunningCommand {
  const command = startCommand(args, { ...env(), ...(key && { THROUGHLINE_KEY: key }) });
  commands.add(command);
  return command;
}

/**
 * Starts a worker with its own key, because a key cannot approve its own results. Its program is the JavaScript,
 * whose arguments are `process.argv.slice(1)`.
 */
async function work(agentId: string, script: string, ...args: string[]): Promise<RunningCommand> {
  const key = await server.key({ role: 'agent', agentId });
  const options = ['--agent', agentId, '--command', process.execPath];
  return start(['work', ...options, '--', '-e', script, ...args], key);
}

/**
 * Sends the signal again until the worker exits at once: a second signal counts one second after the first. It sends no
 * more after that, since a signal that arrives after Node has removed its listeners kills the process.
 */
async function stopAtOnce(worker: RunningCommand): Promise<ProcessResult> {
  const ended = worker.stop('SIGTERM');
  const repeatedSignal = setInterval(() => void worker.stop('SIGTERM'), 200);
  // It may exit before the second signal.
  const reported = worker.said(({ err }) => err.includes('stopping now')).catch(() => undefined);
  await Promise.race([reported, ended]).finally(() => clearInterval(repeatedSignal));
  return ended;
}

const said = (text: string | RegExp) => (output: ProcessResult) =>
  typeof text === 'string' ? output.err.includes(text) : text.test(output.err);

/** The file of a workflow of one step. */
function workflowOf(id: string, more: object = {}): string {
  const file = join(directory, `${id}.json`);
  writeFileSync(file, JSON.stringify({ id, steps: [agent(id, more)] }));
  return file;
}

/** Starts a run of a workflow of one step over HTTP; the run's id is also that of its context. */
async function startRun(id: string, more: object = {}, contextId = id): Promise<void> {
  const path = await server.context(contextId);
  const definition = { id, steps: [agent(id, more)] };
  expect((await server.post('/v1/workflows', definition)).status).toBeLessThan(300);
  expect((await server.post(`${path}/run`, { definitionId: id })).status).toBe(201);
}

async function endOf(contextId: string) {
  return waitFor(
    'the end of the run',
    async () => (await server.get(`/v1/contexts/${contextId}/run`)).body,
    {
      until: ({ endedAt }) => endedAt !== null,
    },
  );
}

async function failuresIn(contextId: string) {
  const { body } = await server.get(`/v1/contexts/${contextId}/events?type=StepAttemptFailed`);
  return body.items.map(({ data }: { data: object }) => data);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Writes a file as one unit, then runs until SIGTERM. */
const writeAndWait = `
  const { renameSync, writeFileSync } = require("node:fs");
  const write = (file, text) => { writeFileSync(file + ".new", text); renameSync(file + ".new", file); };
  const [, file] = process.argv;
  write(file, String(process.pid));
  setInterval(() => 0, 1_000);`;

/** Exits as soon as there is another file. */
const writeAndEnd = `${writeAndWait}
  const { existsSync } = require("node:fs");
  const end = () => { console.log("done"); process.exit(); };
  setInterval(() => { if (existsSync(process.argv[2])) end(); }, 20);`;

async function pidIn(file: string): Promise<number> {
  await waitFor('the program', () => existsSync(file));
  return Number(readFileSync(file, 'utf8'));
}

describe('a worker', () => {
  it('passes the envelope to a program, and the attempt in the environment; a text is an output', async () => {
    const file = workflowOf('text', { parameters: { tone: 'kind' } });
    await work(
      'text',
      `let input = "";
       process.stdin.on("data", (chunk) => { input += chunk; }).on("end", () => {
         const { step, attemptToken, effectKey, input: given } = JSON.parse(input);
         const { THROUGHLINE_KEY, THROUGHLINE_PATH, THROUGHLINE_EFFECT_KEY } = process.env;
         console.log("for " + given.name, THROUGHLINE_PATH, step.parameters.tone);
         console.log(attemptToken, THROUGHLINE_KEY, effectKey === THROUGHLINE_EFFECT_KEY);
       });`,
    );
    const { code, out } = await cli('run', file, '--input', '{"name": "Ada"}', '--wait');
    expect([code, out.split('\n').slice(1)]).toEqual([
      0,
      [
        'text#1 waits for text',
        'text#1 completed',
        'output: {"text":"for Ada text#1 kind\\nundefined undefined true"}',
        'the run has completed',
      ],
    ]);
  }, 60_000);

  it("reports a failure with the program's standard error, and the attempt is repeated", async () => {
    const file = workflowOf('flaky', { max_retries: 2, retry_delay_ms: 10 });
    const worker = await work(
      'flaky',
      `if (process.env.THROUGHLINE_ATTEMPT === "1") { console.error("no luck"); process.exit(3); }
       console.log(JSON.stringify({ attempt: Number(process.env.THROUGHLINE_ATTEMPT) }));`,
    );
    const { code, out } = await cli('run', file, '--wait');
    expect([code, out.split('\n').slice(1)]).toEqual([
      0,
      [
        'flaky#1 waits for flaky',
        'flaky#1 failed in attempt 1: exit-3: no luck',
        'flaky#1 waits for flaky, attempt 2',
        'flaky#1 completed',
        'output: {"attempt":2}',
        'the run has completed',
      ],
    ]);
    await worker.said(said(/flaky#1 attempt 2 completed \(/));
    expect(worker.output().err).toMatch(/flaky#1 attempt 1 failed with exit-3: no luck \(/);
  }, 60_000);

  it('reports an invalid call of its program as a failure that is not repeated', async () => {
    await work('wrong', 'console.log(JSON.stringify({ tests: 2 })); process.exit(78);');
    const contextId = await newContext();
    const file = workflowOf('wrong', { max_retries: 5 });
    const { code } = await cli('run', file, '--wait', '--context', contextId);
    expect(code).toBe(7);
    const reason = 'the program ended with exit code 78';
    expect(await failuresIn(contextId)).toMatchObject([
      { code: 'exit-78', reason, retryable: false, output: { tests: 2 } },
    ]);
  }, 60_000);

  it('ends a program, and the processes that it started, before the deadline', async () => {
    const file = join(directory, 'grandchild');
    const script = `
      const { spawn } = require("node:child_process");
      const [, script, file] = process.argv;
      process.on("SIGTERM", () => 0);
      spawn(process.execPath, ["-e", script, file]);
      setInterval(() => 0, 1_000);`;
    await startRun('late', { timeout_ms: 4_000 });
    await work('late', script, `process.on("SIGTERM", () => 0);${writeAndWait}`, file);
    const grandchild = await pidIn(file);
    expect(await endOf('late')).toMatchObject({ status: 'failed' });
    expect(await failuresIn('late')).toMatchObject([{ code: 'timeout', retryable: true }]);
    await waitFor('the end of the grandchild', () => !isAlive(grandchild));
  }, 60_000);

  it('ends the program and drops its result if it has lost the attempt', async () => {
    const file = join(directory, 'stale');
    await startRun('stale');
    const worker = await work('stale', writeAndWait, file);
    const program = await pidIn(file);
    expect((await cli('run', 'cancel', 'stale', '--grace', '0')).out).toBe(
      'the run in stale was cancelled',
    );
    await worker.said(said(/stale#1 attempt 1 was dropped: .*stale-attempt/));
    await waitFor('the end of the program', () => !isAlive(program));
  }, 60_000);

  it('ends the program if the run is being cancelled, which ends the run', async () => {
    const file = join(directory, 'unneeded');
    await startRun('unneeded');
    const worker = await work('unneeded', writeAndWait, file);
    const program = await pidIn(file);
    const cancelled = await cli('run', 'cancel', 'unneeded', '--grace', '600000');
    expect(cancelled.out).toBe('the run in unneeded is being cancelled');
    expect(await endOf('unneeded')).toMatchObject({ status: 'cancelled' });
    await worker.said(said('failed with cancelled'));
    await waitFor('the end of the program', () => !isAlive(program));
  }, 60_000);

  it('reports a program that exits soon after the worker received a stop signal', async () => {
    const [file, go] = [join(directory, 'stopping'), join(directory, 'go')];
    await startRun('stopping');
    const worker = await work('stopping', writeAndEnd, file, go);
    await pidIn(file);
    const stopped = worker.stop('SIGTERM');
    writeFileSync(go, '');
    expect(await stopped).toMatchObject({ code: 0, err: expect.stringContaining('completed') });
    expect((await cli('run', 'show', 'stopping')).out).toContain('output: {"text":"done"}');
  }, 60_000);

  it('reports running attempts as failed, and claims no more, after a second stop signal', async () => {
    const file = join(directory, 'stopped');
    await startRun('stopped', { max_retries: 2 });
    const worker = await work('stopped', writeAndWait, file);
    const program = await pidIn(file);
    expect(await stopAtOnce(worker)).toMatchObject({ code: 0 });
    await waitFor('the end of the program', () => !isAlive(program));
    expect(await failuresIn('stopped')).toMatchObject([{ code: 'stopped', retryable: true }]);
    await cli('run', 'cancel', 'stopped', '--grace', '0');
  }, 60_000);

  it('exits after one attempt, or if there was none, with --once', async () => {
    await startRun('once');
    const { code, err } = await cli(
      'work',
      '--once',
      '--agent',
      'once',
      '--command',
      process.execPath,
      '--',
      '-e',
      '0',
    );
    expect([code, err]).toEqual([0, expect.stringContaining('once#1 attempt 1 completed')]);
  }, 60_000);

  it('executes several attempts at the same time, up to its limit', async () => {
    const [one, other] = [join(directory, 'one'), join(directory, 'other')];
    for (const id of ['both-1', 'both-2']) await startRun('both', {}, id);
    const script = `
      const [, one, other] = process.argv;
      const fs = require("node:fs");
      const own = process.env.THROUGHLINE_CONTEXT === "both-1" ? one : other;
      fs.writeFileSync(own, "");
      setInterval(() => { if (fs.existsSync(one) && fs.existsSync(other)) process.exit(); }, 20);`;
    const options = ['--agent', 'both', '--concurrency', '2', '--command', process.execPath];
    start(['work', ...options, '--', '-e', script, one, other]);
    for (const id of ['both-1', 'both-2'])
      expect(await endOf(id)).toMatchObject({ status: 'completed' });
  }, 60_000);
});

describe('the approvals of a run', () => {
  const approvalIn = async (contextId: string) => {
    const { body } = await currentAnswer(() => server.get('/v1/approvals?limit=500'));
    return body.items.find((item: { contextId: string }) => item.contextId === contextId);
  };

  it('are decided from the command line, by the ids in the output of a waiting command', async () => {
    const file = join(directory, 'asking.json');
    const steps = [
      agent('draft', { next: 'ok' }),
      { id: 'ok', type: 'approval', message: 'Publish?', on_reject: 'draft' },
    ];
    writeFileSync(file, JSON.stringify({ id: 'asking', steps }));
    const feedback = `
      let input = "";
      process.stdin.on("data", (chunk) => { input += chunk; })
        .on("end", () => console.log(JSON.parse(input).feedback ?? "first"));`;
    await work('draft', feedback);
    const contextId = await newContext();
    const run = start(['run', file, '--context', contextId, '--wait']);
    const ways = async (path: string) => {
      const approvalLine = new RegExp(
        `${path} waits for a person: Publish\\?\\nnext: throughline (approval approve .*)\\nnext: throughline (approval reject \\S+)`,
      );
      await run.said(({ out }) => approvalLine.test(out));
      const [, approve = '', reject = ''] = approvalLine.exec(run.output().out) ?? [];
      return { approve: approve.split(' '), reject: reject.split(' ') };
    };
    const first = await ways('ok#1');
    const rejected = await cli(...first.reject, '--comment', 'too long');
    expect(rejected).toMatchObject({ code: 0, out: 'rejected' });
    expect((await cli(...first.approve)).code).toBe(3);
    const second = await ways('ok#2');
    expect((await cli(...second.approve)).out).toBe('approved');
    const { code, out } = await run.ended;
    expect([code, out]).toEqual([0, expect.stringContaining('ok#1 rejected: too long')]);
    const { body } = await server.get(`/v1/contexts/${contextId}/step-outputs/draft`);
    expect(body.output).toEqual({ text: 'too long' });
  }, 60_000);

  it('end a waiting command with 6 after a rejection, and with 8 after a cancellation', async () => {
    const file = join(directory, 'gate.json');
    writeFileSync(file, JSON.stringify({ id: 'gate', steps: [{ id: 'ok', type: 'approval' }] }));
    const waiting = async (contextId: string) => {
      await server.context(contextId);
      const run = start(['run', file, '--context', contextId, '--wait']);
      await run.said(({ out }) => out.includes('waits for a person'));
      return run;
    };
    const rejected = await waiting('rejected');
    const { out } = await cli('approval', 'list');
    const [, id = ''] = /approval reject (rejected~\S+)/.exec(out) ?? [];
    await cli('approval', 'reject', id);
    expect(await rejected.ended).toMatchObject({ code: 6 });
    const cancelled = await waiting('cancelled');
    await cli('run', 'cancel', 'cancelled', '--reason', 'enough');
    expect(await cancelled.ended).toMatchObject({
      code: 8,
      err: expect.stringMatching(/^throughline: the run was cancelled: enough$/m),
    });
  }, 60_000);

  it('include a decision about an attempt whose worker has disappeared', async () => {
    await startRun('doubtful');
    await waitFor(
      'the attempt',
      async () => (await server.post('/v1/work/claim', { agents: ['doubtful'] })).status === 200,
    );
    const { approvalId } = await waitFor('the question', () => approvalIn('doubtful'));
    const listed = await cli('approval', 'list');
    expect(listed.out).toContain(`approval answer ${approvalId} <retry|skip|output|fail>`);
    const args = ['approval', 'answer', approvalId, 'output'];
    expect((await cli(...args, '--output', '[1]', '--comment', 'it did')).out).toBe(
      'answered: output',
    );
    expect(await endOf('doubtful')).toMatchObject({ status: 'completed' });
    expect((await cli('run', 'show', 'doubtful')).out).toContain('output: [1]');
  }, 60_000);
});

describe('a run', () => {
  it('can be listed, shown, paused, resumed and cancelled', async () => {
    await server.context('shown');
    const started = await cli('run', workflowOf('shown'), '--context', 'shown', '--json');
    expect(started).toMatchObject({ code: 0, err: 'next: throughline run show shown' });
    expect(JSON.parse(started.out)).toEqual(expect.any(Object));
    const shown = await cli('run', 'show', 'shown');
    expect(shown.out).toMatch(/^shown {2}running {2}shown@1$/m);
    expect(shown.out).toMatch(/^shown#1 +1 +scheduled +shown +20/m);
    const diagram = await cli('run', 'show', 'shown', '--mermaid');
    expect(diagram.out).toContain('s0["shown<br>shown<br>waits for shown"]');
    await currentAnswer(() => server.get('/v1/runs'));
    const listed = await cli('run', 'list', '--state', 'active', '--definition', 'shown');
    expect(listed.out).toMatch(/^shown +shown@1 +running +20.* shown \(shown#1\) +20/m);
    expect((await cli('run', 'pause', 'shown', '--reason', 'lunch')).out).toBe(
      'the run in shown is paused',
    );
    expect((await cli('run', 'show', 'shown')).out).toMatch(/^reason {3}lunch$/m);
    expect((await cli('run', 'resume', 'shown')).out).toBe('the run in shown is resumed');
    expect((await cli('run', 'cancel', 'shown')).out).toBe('the run in shown was cancelled');
    expect((await cli('run', 'resume', 'shown')).code).toBe(3);
    expect((await cli('run', 'show', 'nowhere')).code).toBe(4);
  }, 60_000);
});

describe('a run that is refused', () => {
  it('leaves no open context that was created for it', async () => {
    const file = join(directory, 'archived.json');
    writeFileSync(file, JSON.stringify({ id: 'archived', enabled: false, steps: [agent('a')] }));
    const { code, err } = await cli('run', file);
    expect([code, err]).toEqual([4, expect.stringContaining('workflow "archived" is archived')]);
    const [, contextId = ''] = /^context (\S+), created for the run, is closed$/m.exec(err) ?? [];
    const { body } = await server.get(`/v1/contexts/${contextId}`);
    expect(body).toMatchObject({ status: 'closed', outcome: 'skipped' });
  }, 60_000);
});

describe('a server that is restarted', () => {
  let data: string;
  let ownWorker: ServerProcess;

  beforeAll(async () => {
    data = join(directory, 'data');
    await placeCluster(data);
    ownWorker = await startServerProcess({ THROUGHLINE_DATA_DIR: data });
  }, 60_000);

  afterAll(stopServerProcesses, 60_000);

  const ownEnv = () => ({ THROUGHLINE_DATA_DIR: data, THROUGHLINE_URL: ownWorker.address });
  const ownCli = (...args: string[]) => throughline(args, ownEnv());

  it('continues runs with the results reported in the meantime', async () => {
    const [file, go] = [join(directory, 'patient'), join(directory, 'patient-go')];
    await ownCli('context', 'create', 'patient');
    await ownCli('run', workflowOf('patient'), '--context', 'patient');
    const args = ['--agent', 'patient', '--command', process.execPath, '--', '-e'];
    const worker = startCommand(['work', ...args, writeAndEnd, file, go], ownEnv());
    commands.add(worker);
    const program = await pidIn(file);
    await ownWorker.stop();
    writeFileSync(go, '');
    await waitFor('the end of the program', () => !isAlive(program));
    const { port } = new URL(ownWorker.address);
    ownWorker = await startServerProcess({ THROUGHLINE_DATA_DIR: data, THROUGHLINE_PORT: port });
    await worker.said(said('patient#1 attempt 1 completed'));
    const { out } = await ownCli('run', 'show', 'patient');
    expect(out).toContain('output: {"text":"done"}');
  }, 120_000);

  it('lets runs wait for a person after its epoch was raised', async () => {
    await ownCli('context', 'create', 'bumped');
    await ownCli('run', workflowOf('bumped'), '--context', 'bumped');
    const { code, out } = await ownCli('epoch', 'bump');
    expect([code, out]).toEqual([0, expect.stringContaining('throughline run resume <context>')]);
    expect((await ownCli('run', 'resume', 'bumped')).out).toBe('the run in bumped is resumed');
    expect((await ownCli('run', 'resume', 'bumped')).out).toBe(
      'the run in bumped was resumed already',
    );
  }, 60_000);
});

let contexts = 0;

async function newContext(): Promise<string> {
  const contextId = `own-${++contexts}`;
  await server.context(contextId);
  return contextId;
}
