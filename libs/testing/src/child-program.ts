import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const programs = new URL('../programs/', import.meta.url);
const hooks = new URL('../typescript.hooks.mjs', import.meta.url);

/** A child process in a separate process group. It reports its actions as JSON lines. */
export type ChildProgram = {
  readonly pid: number;
  /** The next line that has this member. If the program ends first, this fails with the whole output. */
  next(member: string): Promise<Record<string, unknown>>;
  send(line: string): void;
  /** Resolves once the process has ended; `group` also reaches the processes that it started in its group. */
  kill(signal: NodeJS.Signals, whom?: 'process' | 'group'): Promise<void>;
  readonly exitCode: Promise<number | null>;
};

/** Runs `libs/testing/programs/<name>.ts` directly from the sources. */
export function startProgram(name: string, ...args: string[]): ChildProgram {
  const child = spawn(
    process.execPath,
    [
      '--conditions=source',
      '--experimental-transform-types',
      '--disable-warning=ExperimentalWarning',
      `--import=${hooks.href}`,
      fileURLToPath(new URL(`${name}.ts`, programs)),
      ...args,
    ],
    { detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} did not start`);
  const exited = once(child, 'close');
  const output = collect(child);
  return {
    pid,
    next: (member) => output.next(member),
    send: (line) => void child.stdin.write(`${line}\n`),
    kill: async (signal, whom = 'process') => {
      if (child.exitCode === null && child.signalCode === null)
        process.kill(whom === 'group' ? -pid : pid, signal);
      await exited;
    },
    exitCode: exited.then(([code]) => code),
  };
}

type Waiter = { readonly member: string; resolve(line: object): void; reject(error: Error): void };

function collect(child: ChildProcess) {
  const output: string[] = [];
  const unread: Record<string, unknown>[] = [];
  let waiters: Waiter[] = [];
  let hasEnded = false;

  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      unread.push(parse(line));
      serve();
    });
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.once('close', () => {
    hasEnded = true;
    serve();
  });

  return {
    next: (member: string) =>
      new Promise<Record<string, unknown>>((resolve, reject) => {
        waiters.push({ member, resolve: (line) => resolve({ ...line }), reject });
        serve();
      }),
  };

  function serve(): void {
    waiters = waiters.filter(({ member, resolve, reject }) => {
      const at = unread.findIndex((line) => member in line);
      const [line] = at < 0 ? [] : unread.splice(0, at + 1).slice(-1);
      if (line) resolve(line);
      else if (hasEnded) reject(new Error(`ended without "${member}":\n${output.join('\n')}`));
      return !line && !hasEnded;
    });
  }
}

function parse(line: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(line) };
  } catch {
    return { text: line };
  }
}
