import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { waitFor } from '#testing';
import { type WorkEnvelope, WorkFailure } from '@throughline/sdk';

import { CliError } from '../cli-error.js';
import { logAttempts } from './log-attempts.js';
import { workHandler } from './work-handler.js';

const work: WorkEnvelope = {
  agent: 'coder',
  contextId: 'login',
  runId: 'r',
  effectKey: 'e',
  input: null,
  deadline: '2030-01-01T00:01:00.000Z',
  timeoutMs: 60_000,
  references: {},
  step: { id: 's', path: 's#1', name: null, parameters: {}, visit: 1, attempt: 1 },
  receipt: null,
  failure: null,
  feedback: null,
  recovers: null,
};
const tools = { signal: new AbortController().signal, graceMs: 100 };
const node = (script: string) => ({ command: process.execPath, args: ['-e', script] });

function handlerOf(program: Readonly<{ command: string; args: readonly string[] }>) {
  const lines: string[] = [];
  const killing = new AbortController();
  const handler = workHandler({ env: process.env, program, killing: killing.signal });
  return { lines, killing, ...logAttempts((line) => lines.push(line), handler) };
}

async function failureOf(attempt: Promise<unknown>): Promise<WorkFailure> {
  const error = await attempt.catch((caught: unknown) => caught);
  if (error instanceof WorkFailure) return error;
  throw error;
}

describe('an attempt that a program executes', () => {
  it('passes the work to the program and returns its output', async () => {
    const { handler, onAttempt, lines } = handlerOf(
      node('process.stdin.on("data", (text) => console.log(JSON.parse(text).contextId.length))'),
    );
    expect(JSON.stringify(await handler(work, tools))).toBe('5');
    await onAttempt(work, 'completed', undefined);
    expect(lines).toEqual([
      'login s#1 attempt 1 started',
      expect.stringMatching(/^login s#1 attempt 1 completed \(\d+\.\d s\)$/),
    ]);
  });

  it('ends its program if the worker is stopped at once, and fails', async () => {
    const { handler, killing } = handlerOf(node('setInterval(() => 0, 1_000)'));
    const attempt = Promise.resolve(handler(work, tools));
    killing.abort();
    expect(await failureOf(attempt)).toMatchObject({ code: 'stopped' });
  });

  it('ends within the grace period if its program ignores SIGTERM when the worker is stopped', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'throughline-work-'));
    const file = join(directory, 'ready');
    const { handler, killing } = handlerOf(
      node(`process.on("SIGTERM", () => 0);
        require("node:fs").writeFileSync(${JSON.stringify(file)}, "");
        setInterval(() => 0, 1_000);`),
    );
    const attempt = failureOf(Promise.resolve(handler(work, tools)));
    await waitFor('the program', () => existsSync(file));
    const stoppedAt = performance.now();
    killing.abort();
    expect(await attempt).toMatchObject({ code: 'stopped' });
    rmSync(directory, { recursive: true });
    // The default grace period is five seconds.
    expect(performance.now() - stoppedAt).toBeLessThan(4_000);
  });

  it('fails if its program cannot be started, and ends the worker with that error', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'throughline-work-'));
    const command = join(directory, 'program');
    writeFileSync(command, '#!/no/such/interpreter\n');
    chmodSync(command, 0o755);
    const { handler, onAttempt, lines } = handlerOf({ command, args: [] });
    const failure = await failureOf(Promise.resolve(handler(work, tools)));
    rmSync(directory, { recursive: true });
    expect(failure).toMatchObject({ code: 'not-started', cause: expect.any(CliError) });
    expect(() => onAttempt(work, 'failed', failure)).toThrow(`cannot run ${command}`);
    expect(lines.at(-1)).toContain('attempt 1 failed with not-started: cannot run');
  });
});
