import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { placeCluster, waitFor } from '#testing';

import {
  type RunningCommand,
  type ServerProcess,
  startCommand,
  startServerProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';

/** The workflow of the original specification. */
const featureDevelopment = {
  id: 'feature-development',
  steps: [
    { id: 'plan', type: 'agent', agent: 'planner', next: 'approve-plan' },
    {
      id: 'approve-plan',
      type: 'approval',
      message: 'Approve implementation plan?',
      on_approve: 'code',
      on_reject: 'plan',
    },
    { id: 'code', type: 'agent', agent: 'coder', input: 'plan', next: 'parallel-tests' },
    {
      id: 'parallel-tests',
      type: 'parallel',
      next: 'check-tests',
      steps: [
        { id: 'unit', type: 'agent', agent: 'test-unit' },
        { id: 'integration', type: 'agent', agent: 'test-integration' },
      ],
    },
    {
      id: 'check-tests',
      type: 'condition',
      then: 'review',
      else: 'code',
      condition: 'context.parallel-tests.success === true',
    },
    { id: 'review', type: 'agent', agent: 'reviewer', input: 'code' },
  ],
};

/** The first attempt to write code never ends; the first code fails its tests. */
const agentScript = `
  import { existsSync, renameSync, writeFileSync } from 'node:fs';
  import { json } from 'node:stream/consumers';
  const [, , coding] = process.argv;
  const { step, input, references, feedback } = await json(process.stdin);
  const answers = {
    plan: () => ({ files: ['toggle.ts'], for: input, feedback }),
    code: () => ({ filesCreated: references.plan.files, visit: step.visit }),
    unit: () => step.visit === 1 ? fail('two tests fail') : { passed: 15, failed: 0 },
    integration: () => ({ passed: 5, failed: 0 }),
    review: () => ({ approved: true, files: references.code.filesCreated }),
  };
  if (step.id === 'code' && !existsSync(coding)) {
    writeFileSync(coding + '.new', String(process.pid));
    renameSync(coding + '.new', coding);
    setInterval(() => 0, 1_000);
  } else console.log(JSON.stringify(answers[step.id]()));
  function fail(reason) {
    console.error(reason);
    process.exit(1);
  }`;

type Approval = Readonly<{ approvalId: string; path: string; attempt: number | null }>;

let directory: string;
let data: string;
let server: ServerProcess;
let workers: readonly RunningCommand[] = [];
/** The file in which the coding program stores its process id. */
let coding: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'throughline-feature-'));
  // PostgreSQL runs as another user if the tests run as root.
  chmodSync(directory, 0o755);
  [data, coding] = [join(directory, 'data'), join(directory, 'coding')];
  writeFileSync(join(directory, 'feature.json'), JSON.stringify(featureDevelopment));
  writeFileSync(join(directory, 'agent.mjs'), agentScript);
  await placeCluster(data);
  server = await startServerProcess(settings());
}, 60_000);

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
  await stopServerProcesses();
  rmSync(directory, { recursive: true, force: true });
}, 60_000);

const settings = () => ({ THROUGHLINE_DATA_DIR: data, THROUGHLINE_RUN_LEASE_MS: '1000' });
const env = () => ({ ...settings(), THROUGHLINE_URL: server.address });

/** The output of a command that must succeed. */
async function cli(...args: string[]): Promise<string> {
  const { code, out, err } = await throughline(args, env());
  expect({ args, code, err }).toMatchObject({ code: 0 });
  return out;
}

const answer = async (...args: string[]) => JSON.parse(await cli(...args, '--json'));

/** Reads over HTTP, since the test polls: a command would start a process each time. */
async function ask(path: string) {
  const key = readFileSync(join(data, 'root-key'), 'utf8').trim();
  const response = await fetch(`${server.address}/v1/${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  return JSON.parse(await response.text());
}

/** Each worker has its own key, because a key cannot approve its own results. */
async function startWorkers(): Promise<void> {
  const started = [
    ['planner', 'coder', 'reviewer'],
    ['test-unit', 'test-integration'],
  ].map(async ([agent = '', ...others]) => {
    const acting = others.flatMap((other) => ['--acts-for', other]);
    const { secret } = await answer('key', 'create', '--agent', agent, ...acting);
    const agents = [agent, ...others].flatMap((one) => ['--agent', one]);
    const program = [process.execPath, '--', join(directory, 'agent.mjs'), coding];
    const args = ['work', ...agents, '--concurrency', '2', '--command', ...program];
    return startCommand(args, { ...env(), THROUGHLINE_KEY: secret });
  });
  workers = await Promise.all(started);
}

/**
 * Answers all open approvals: it rejects the first plan, approves later ones, and retries lost attempts. On a slow
 * machine more attempts are lost than the killed ones.
 */
async function decide(): Promise<void> {
  if ((await ask('approvals')).items.length === 0) return;
  const { items } = await answer('approval', 'list');
  for (const { approvalId, path, attempt } of items as readonly Approval[]) {
    if (attempt !== null) await throughline(['approval', 'answer', approvalId, 'retry'], env());
    else if (path === 'approve-plan#1')
      await throughline(['approval', 'reject', approvalId, '--comment', 'too broad'], env());
    else await throughline(['approval', 'approve', approvalId], env());
  }
}

async function decideUntil<Value>(
  condition: string,
  read: () => Value | Promise<Value>,
  until: (value: Value) => boolean,
): Promise<Value> {
  const decideAndRead = async () => {
    await decide();
    return read();
  };
  return waitFor(condition, decideAndRead, { until, timeoutMs: 120_000 });
}

describe('the feature-development workflow', () => {
  it('runs from the command line, through a rejected plan, failed tests, a review and a kill of all processes', async () => {
    await startWorkers();
    await cli('context', 'create', 'dark-mode', '--title', 'Dark mode');
    const input = ['--input', '"Add dark mode toggle"', '--context', 'dark-mode'];
    await cli('run', join(directory, 'feature.json'), ...input);
    await decideUntil('the program that writes code', () => existsSync(coding), Boolean);

    await Promise.all([server.stop('SIGKILL'), ...workers.map((worker) => worker.stop('SIGKILL'))]);
    process.kill(-Number(readFileSync(coding, 'utf8')), 'SIGKILL');
    server = await startServerProcess(settings());
    await startWorkers();

    const read = () => ask('contexts/dark-mode/run');
    await decideUntil('the end of the run', read, ({ endedAt }) => endedAt !== null);
    const run = await answer('run', 'show', 'dark-mode');
    expect(run).toMatchObject({ status: 'completed', success: true, active: [] });
    const { stepOutputs } = await answer('context', 'show', 'dark-mode');
    expect(stepOutputs).toMatchObject({
      plan: { for: 'Add dark mode toggle', feedback: 'too broad' },
      code: { filesCreated: ['toggle.ts'] },
      unit: { passed: 15 },
      review: { approved: true, files: ['toggle.ts'] },
    });
    expect(stepOutputs.code.visit).toBeGreaterThan(1);
  }, 240_000);

  it('has a story that contains each of these events once', async () => {
    const { items } = await answer('context', 'events', 'dark-mode', '--limit', '500');
    const of = (type: string) => items.filter((event: { type: string }) => event.type === type);
    const paths = of('StepOutputAdded').map(
      ({ data: { run } }: { data: { run: { path: string } } }) => run.path,
    );
    expect(paths).toEqual([...new Set(paths)]);
    expect(paths).toEqual(expect.arrayContaining(['plan#1', 'plan#2', 'code#1', 'review#1']));
    const asked = of('ApprovalRequested').map(({ data: one }: { data: Approval }) => one);
    expect(asked).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: 'code#1', attempt: 1 })]),
    );
    const decided = of('ApprovalDecided').map(({ data: one }: { data: object }) => one);
    expect(decided).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ decision: 'rejected', comment: 'too broad' }),
        expect.objectContaining({ path: 'code#1', decision: 'retry' }),
      ]),
    );
    expect(of('StepAttemptFailed')).toMatchObject([
      { data: { path: 'unit#1', code: 'exit-1', reason: 'two tests fail' } },
    ]);
    expect(of('RunCompleted')).toHaveLength(1);
  });

  it('can be replayed, forked, verified and audited like any context', async () => {
    const replayed = await cli('replay', 'dark-mode');
    for (const type of ['RunStarted', 'ApprovalDecided', 'StepAttemptFailed', 'RunCompleted'])
      expect(replayed).toContain(type);
    await cli('context', 'fork', 'dark-mode', 'light-mode');
    const [original, fork] = await Promise.all([
      answer('context', 'show', 'dark-mode'),
      answer('context', 'show', 'light-mode'),
    ]);
    expect(fork.stepOutputs).toEqual(original.stepOutputs);
    expect(await cli('verify', '--all')).toMatch(/events of 2 contexts verified/);
    expect(await cli('audit')).not.toContain('violated, first');
  }, 120_000);
});
