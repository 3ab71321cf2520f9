import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFile,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  chmod,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, normalize, relative } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { ignoredBy } from './dockerignore.js';
import {
  type Instruction,
  type Stage,
  execForm,
  lastOf,
  pairs,
  parseDockerfile,
} from './dockerfile.js';

const run = promisify(execFile);

/** Variables that the test passes on: the package source, and none that would change the build. */
const passedOn =
  /^(HOME|LANG|(https?|no)_proxy|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|npm_config_(registry|cache|userconfig|cafile))$/i;

type State = Readonly<{
  /** The directory that is `/` of the stage. */
  root: string;
  env: Readonly<Record<string, string>>;
  workdir: string;
}>;

export type Process = Readonly<{
  output: () => string;
  /** Sends the signal and waits for the exit. */
  stop: (signal: NodeJS.Signals) => Promise<number | null>;
  ended: Promise<number | null>;
}>;

/**
 * The result of the Dockerfile without an engine: each stage is a directory, and its instructions are executed in
 * order, with absolute paths of the image mapped below that directory. This proves the steps: the copied files, the
 * installation and build, and that the result runs with the environment of the image, as a user other than root, and
 * writes only where it should. It does not prove the work of an engine: the base image (this machine's Node and shell
 * replace it), its user `node` (replaced by the account with the same number, or the one that runs the tests), mounts,
 * layers and networks.
 */
export class Image {
  private constructor(
    private readonly base: string,
    private readonly final: Stage,
    private readonly state: State,
  ) {}

  static async build(context: string): Promise<Image> {
    const base = await mkdtemp(join(tmpdir(), 'throughline-image-'));
    await chmod(base, 0o755);
    try {
      return await new Build(context, base).run();
    } catch (error) {
      await rm(base, { recursive: true, force: true });
      throw error;
    }
  }

  static made(base: string, final: Stage, state: State): Image {
    return new Image(base, final, state);
  }

  get root(): string {
    return this.state.root;
  }

  get env(): Readonly<Record<string, string>> {
    return this.state.env;
  }

  /** The name of the account in the last USER. */
  get user(): string | undefined {
    return lastOf(this.final, 'USER')?.text;
  }

  /** Removes the write permission from everything except `/data`, which remains as created, and `/tmp`. */
  async makeReadOnly(): Promise<void> {
    const entries = (await readdir(this.root)).filter((name) => name !== 'data');
    await run('chmod', ['-R', 'a-w', ...entries.map((name) => join(this.root, name))]);
    await mkdir(join(this.root, 'tmp'));
    await chmod(join(this.root, 'tmp'), 0o1777);
    await chmod(this.root, 0o555);
  }

  /** Whether the account of the image can create a file in this directory. */
  async canWriteTo(directory: string): Promise<boolean> {
    const file = join(this.root, directory, 'written');
    const write = `fs.writeFileSync(process.argv[1], ''); fs.rmSync(process.argv[1])`;
    return (await this.#spawn(['node', '-e', write, file], {}).ended) === 0;
  }

  /** Runs ENTRYPOINT with these words, or with CMD, as the account of the image. */
  start(env: Readonly<Record<string, string>>, words?: readonly string[]): Process {
    const command = [...this.#exec('ENTRYPOINT'), ...(words ?? this.#exec('CMD'))];
    return this.#spawn(command, env);
  }

  /** Runs the command of HEALTHCHECK once, and returns its exit code. */
  async checkHealth(env: Readonly<Record<string, string>>): Promise<number | null> {
    const text = lastOf(this.final, 'HEALTHCHECK')?.text ?? '';
    return this.#spawn(execForm(text.replace(/^CMD /, '')), env).ended;
  }

  /** All paths with the attributes that a write changes, except `/data` and `/tmp`. */
  async snapshot(): Promise<string[]> {
    const entries = await readdir(this.root, { recursive: true });
    const paths = entries.filter((path) => !/^(data|tmp)(\/|$)/.test(path)).sort();
    return Promise.all(
      paths.map(async (path) => {
        const { mtimeMs, size, mode } = await lstat(join(this.root, path));
        return `${path} ${mode} ${size} ${mtimeMs}`;
      }),
    );
  }

  async remove(): Promise<void> {
    await run('chmod', ['-R', 'u+w', this.base]);
    await rm(this.base, { recursive: true, force: true });
  }

  #exec(name: string): string[] {
    return execForm(lastOf(this.final, name)?.text ?? '[]');
  }

  #spawn(
    [program = '', ...args]: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Process {
    const stop = lastOf(this.final, 'STOPSIGNAL')?.text;
    const child = spawn(program, args, {
      cwd: below(this.root, this.state.workdir),
      env: { ...mappedEnvironment(this.state), TMPDIR: join(this.root, 'tmp'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...account(),
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => void (said += chunk));
    const ended = once(child, 'close').then(() => child.exitCode);
    return {
      output: () => said,
      ended,
      stop: (signal) => {
        if (stop && signal !== 'SIGKILL' && stop !== signal)
          throw new Error(`the image is stopped by ${stop}`);
        child.kill(signal);
        return ended;
      },
    };
  }
}

class Build {
  readonly #stages = new Map<string, Promise<State>>();
  readonly #node: string;

  constructor(
    private readonly context: string,
    private readonly base: string,
  ) {
    this.#node = join(base, 'usr', 'local', 'bin', 'node');
  }

  /** Independent stages are built in parallel. */
  async run(): Promise<Image> {
    const stages = parseDockerfile(await readFile(join(this.context, 'Dockerfile'), 'utf8'));
    // The image has Node there; the account that runs the image may not be able to enter the directory of ours.
    await makeDirectory(dirname(this.#node));
    await copyFile(process.execPath, this.#node);
    const making = stages.map((stage, at) => {
      const state = this.#make(stage, join(this.base, `stage-${at}`));
      if (stage.name) this.#stages.set(stage.name, state);
      return state;
    });
    // Waits for all stages, so that none writes after one has failed.
    await Promise.allSettled(making);
    const state = (await Promise.all(making)).at(-1);
    const final = stages.at(-1);
    if (!final || !state) throw new Error('the Dockerfile has no stage');
    return Image.made(this.base, final, state);
  }

  async #make(stage: Stage, root: string): Promise<State> {
    let state = await this.#begin(stage, root);
    for (const instruction of stage.instructions) state = await this.#step(state, instruction);
    return state;
  }

  async #begin({ from }: Stage, root: string): Promise<State> {
    const before = await this.#stages.get(from);
    if (before) {
      await run('cp', ['-a', before.root, root]);
      return { ...before, root };
    }
    if (!/^node:24-[\w-]+$/.test(from)) throw new Error(`no stand-in for the image ${from}`);
    await makeDirectory(root);
    return { root, env: { PATH: dirname(this.#node) }, workdir: '/' };
  }

  async #step(state: State, instruction: Instruction): Promise<State> {
    const { name, text } = instruction;
    if (name === 'WORKDIR') {
      await makeDirectory(below(state.root, text));
      return { ...state, workdir: text };
    }
    if (name === 'ENV')
      return { ...state, env: { ...state.env, ...Object.fromEntries(pairs(text)) } };
    if (name === 'COPY') await this.#copy(state, instruction);
    if (name === 'RUN') await this.#execute(state, text);
    if (name === 'VOLUME') await makeDirectory(below(state.root, text));
    // Other instructions describe how the image is run; see Image.
    return state;
  }

  async #copy(state: State, { flags, text }: Instruction): Promise<void> {
    const words = text.split(/\s+/);
    const target = words.pop() ?? '';
    const to = below(state.root, join(state.workdir.replace(/^\//, ''), target), target);
    const from = await this.#stages.get(flags['from'] ?? '');
    if (flags['from'] !== undefined && !from) throw new Error(`no stage ${flags['from']}`);
    const ignores = ignoredBy(await readFile(join(this.context, '.dockerignore'), 'utf8'));
    for (const word of words) {
      const source = from ? below(from.root, word) : join(this.context, word);
      const isDirectory = (await lstat(source)).isDirectory();
      if (!from && ignores(word)) throw new Error(`COPY ${word}: .dockerignore leaves it out`);
      const into = isDirectory || !/\/$/.test(target) ? to : join(to, word.split('/').at(-1) ?? '');
      await makeDirectory(isDirectory ? into : dirname(into));
      if (from) await link(isDirectory ? `${source}/.` : source, into);
      else
        await cp(source, into, {
          recursive: true,
          filter: (path) => !ignores(relative(this.context, path)),
        });
    }
  }

  async #execute(state: State, text: string): Promise<void> {
    const given = Object.entries(process.env).filter(([name]) => passedOn.test(name));
    // Paths of the image, and its user by number: the name may not exist on this machine, and a user other than root
    // cannot change the owner of files.
    const { uid, gid } = account();
    const mapped = text
      .replaceAll(/(?<=^|\s)\/(?=[a-z])/g, `${state.root}/`)
      .replaceAll('-o node -g node', `-o ${uid} -g ${gid}`);
    const { PATH = '', ...env } = mappedEnvironment(state);
    const child = spawn('/bin/sh', ['-c', `umask 022; ${mapped}`], {
      cwd: below(state.root, state.workdir),
      env: {
        ...Object.fromEntries(given),
        npm_config_prefer_offline: 'true',
        ...env,
        PATH: [PATH, process.env['PATH']].join(delimiter),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([
      readAll(child.stdout),
      readAll(child.stderr),
      once(child, 'close'),
    ]);
    if (child.exitCode !== 0) throw new Error(`RUN ${text}: ${child.exitCode}\n${out}${err}`);
  }
}

/** Modes as an engine sets them, regardless of the umask of this process. */
async function makeDirectory(path: string): Promise<void> {
  await run('/bin/sh', ['-c', 'umask 022; mkdir -p "$1"', 'sh', path]);
}

/** A copy with hard links: only the mode of the files changes afterwards. */
async function link(from: string, to: string): Promise<void> {
  await run('cp', ['-al', from, to]);
}

/** The local path of a path in the image. */
function below(root: string, path: string, absolute = path): string {
  return join(root, normalize(absolute.startsWith('/') ? absolute : path));
}

/** Replaces values that are paths of the image, such as `/data`, with local paths. */
function mappedEnvironment({ root, env }: State): Record<string, string> {
  const { PATH = '', ...others } = env;
  const mapped = Object.entries(others).map(([name, value]) => [
    name,
    value.startsWith('/') ? join(root, value) : value,
  ]);
  return { PATH, ...Object.fromEntries(mapped) };
}

/** The image's `node` if root runs the tests; otherwise the current user, who cannot change the account. */
function account(): Readonly<{ uid: number; gid: number }> {
  const [uid = 1000, gid = 1000] = [process.getuid?.(), process.getgid?.()];
  return uid === 0 ? { uid: 1000, gid: 1000 } : { uid, gid };
}
