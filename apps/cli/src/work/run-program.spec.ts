import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { waitFor } from '#testing';

import { maxOutputBytes, runProgram } from './run-program.js';

/** Runs JavaScript in a separate process. */
const node = (script: string, input = '') =>
  runProgram(
    { command: process.execPath, args: ['-e', script] },
    { input, env: { PATH: process.env['PATH'] } },
  );

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'throughline-program-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('a program', () => {
  it('gets its input, and returns its output and exit code', async () => {
    const { ended } = node(
      'process.stdin.on("data", (d) => { process.stdout.write(d); console.error("why"); process.exitCode = 3; })',
      '{"a":1}',
    );
    expect(await ended).toEqual({
      exitCode: 3,
      stdout: '{"a":1}',
      overflowed: false,
      stderr: 'why',
    });
  });

  it('need not read its input', async () => {
    expect(await node('', 'x'.repeat(10_000_000)).ended).toMatchObject({ exitCode: 0 });
  });

  it('returns the end of a long standard error', async () => {
    const { ended } = node('process.stderr.write("a".repeat(9_000) + "b".repeat(3_999) + "c")');
    expect((await ended).stderr).toBe(`${'b'.repeat(3_999)}c`);
  });

  it('has an exit code if a signal ended it', async () => {
    const { ended } = node('process.kill(process.pid, "SIGKILL")');
    expect(await ended).toMatchObject({ exitCode: 137 });
  });

  it('reports too much output, and discards it', async () => {
    const program = node(
      `process.stdout.write("x".repeat(${maxOutputBytes + 1}), () => setInterval(() => 0, 1_000))`,
    );
    await program.overflowed;
    await program.end();
    expect(await program.ended).toMatchObject({ stdout: '', overflowed: true });
  });

  it('fails to start if it does not exist', async () => {
    const { ended } = runProgram({ command: './gone', args: [] }, { input: '', env: {} });
    await expect(ended).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is ended with its child processes, even if they ignore SIGTERM', async () => {
    const file = join(directory, 'pid');
    const child = `
      process.on("SIGTERM", () => 0);
      const { renameSync, writeFileSync } = require("node:fs");
      writeFileSync(${JSON.stringify(`${file}.new`)}, String(process.pid));
      renameSync(${JSON.stringify(`${file}.new`)}, ${JSON.stringify(file)});
      setInterval(() => 0, 1_000);`;
    const program = node(`
      process.on("SIGTERM", () => 0);
      require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}]);
      setInterval(() => 0, 1_000);`);
    await waitFor('the grandchild', () => existsSync(file));
    const grandchild = Number(readFileSync(file, 'utf8'));
    expect(isAlive(grandchild)).toBe(true);
    await program.end(100);
    expect(await program.ended).toMatchObject({ exitCode: 137 });
    await waitFor('the end of the grandchild', () => !isAlive(grandchild));
  });

  it('leaves no child process running when it ends by itself', async () => {
    const { ended } = node(`
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1_000)"], { stdio: "ignore" });
      child.on("spawn", () => { console.log(child.pid); process.exit(); });`);
    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(0);
    await waitFor('the end of the grandchild', () => !isAlive(Number(stdout)));
  });
});
