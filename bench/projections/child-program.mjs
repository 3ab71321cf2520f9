import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * A program of this folder, or one with an absolute path, in a separate process. It prints `ready` once it can begin,
 * begins after a line on its standard input and exits when the input ends; `said` resolves when it prints the given
 * line.
 */
export async function openProgram(file, args, env) {
  const program = resolve(import.meta.dirname, 'programs', file);
  const child = spawn(process.execPath, [...profiling(), program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    // Its errors are part of the benchmark's output.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(child, 'exit').then(() => process.off('exit', kill));
  const said = listen(child, file);
  await said('ready');
  const ended = async () => {
    await exited;
  };
  return {
    pid: child.pid,
    said,
    begin: () => child.stdin.write('begin\n'),
    kill: () => (kill(), ended()),
    close: () => (child.stdin.end(), ended()),
  };
}

/** `BENCH_PROFILES=<directory>` keeps a processor profile of each program. */
function profiling() {
  const directory = process.env.BENCH_PROFILES;
  return directory ? ['--cpu-prof', `--cpu-prof-dir=${directory}`] : [];
}

function listen(child, file) {
  const heard = new Set();
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    heard.add(line);
    waiting.get(line)?.resolve();
  });
  child.once('exit', (code, signal) => {
    const error = new Error(`${file} ended (${signal ?? code})`);
    for (const { reject } of waiting.values()) reject(error);
  });
  return (line) => {
    if (heard.has(line)) return Promise.resolve();
    const wait = Promise.withResolvers();
    waiting.set(line, wait);
    return wait.promise;
  };
}
