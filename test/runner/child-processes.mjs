import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

import { takeProcessorSeconds } from './processor-time.mjs';
import { findTemporaryDirectory } from './temporary-directory.mjs';

export const root = join(import.meta.dirname, '..', '..');
export const cache = join('node_modules', '.cache', 'throughline');

/** A stage that takes longer is treated as hanging, also on a slow machine; tests of the runner use shorter limits. */
const limitMs = Number(process.env['THROUGHLINE_STAGE_LIMIT_MS'] || 25 * 60_000);
const temporaryDirectory = findTemporaryDirectory();
/** The time for processes to stop their children before they are killed. */
const graceMs = 5_000;

const running = new Set();
let stopSignal;

/**
 * Runs Node on a script in a separate process group. `onEvent` receives the lines of JSON that the script writes to its
 * fourth file descriptor. `problem` is the reason if the script was killed. A script in the background has a low
 * priority, with its children: it uses the processor time that others leave.
 */
export function runNode(args, { env = {}, onEvent, isBackground = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(findNode(), args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
      env: { ...environment(), ...env },
    });
    running.add(child);
    if (isBackground && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    const chunks = [];
    let problem;
    let processorSeconds;
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    readLines(child.stdio[3], (line) => {
      try {
        onEvent?.(JSON.parse(line));
      } catch (error) {
        problem = `a report that cannot be read: ${error.message}`;
        killGroup(child, 'SIGKILL');
      }
    });
    const timer = setTimeout(() => {
      problem = `killed: not done after ${limitMs / 1000} s`;
      killGroup(child, 'SIGKILL');
    }, limitMs);
    child.on('error', (error) => chunks.push(Buffer.from(`${error.message}\n`)));
    let leftTimer;
    child.on('exit', () => {
      processorSeconds = takeProcessorSeconds();
      // A process that the script left running may keep the pipes open.
      leftTimer = setTimeout(() => {
        problem ??= 'it left processes behind that held its output open';
        killGroup(child, 'SIGKILL');
        for (const stream of child.stdio) stream?.destroy();
      }, graceMs);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      clearTimeout(leftTimer);
      running.delete(child);
      if (stopSignal) problem = `stopped by ${stopSignal}`;
      resolve({ code, problem, output: Buffer.concat(chunks).toString(), processorSeconds });
    });
  });
}

/** Stops all running scripts and their children; a second signal does not wait for them. */
export function stopAll(signal) {
  const again = stopSignal !== undefined;
  stopSignal = signal;
  for (const child of running) killGroup(child, again ? 'SIGKILL' : signal);
  setTimeout(() => running.forEach((child) => killGroup(child, 'SIGKILL')), graceMs).unref();
}

export function isStopping() {
  return stopSignal !== undefined;
}

/**
 * Lines end with \n only: readline would also split at the U+2028 of a test's title. An incomplete line at the end is
 * dropped.
 */
function readLines(stream, onLine) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop();
    lines.forEach(onLine);
  });
}

function environment() {
  return {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    FORCE_COLOR: '0',
    ...(temporaryDirectory && { TMPDIR: temporaryDirectory }),
    // Hundreds of servers and commands load the same modules, and compiling them is a quarter of a start.
    NODE_COMPILE_CACHE: join(root, cache, 'compiled'),
  };
}

function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process has already exited.
  }
}

/** The Node that `npm ci` installed, so that tests run on one version on any machine. */
function findNode() {
  const installed = join(root, 'node_modules', '.bin', 'node');
  return process.platform !== 'win32' && existsSync(installed) ? installed : process.execPath;
}
