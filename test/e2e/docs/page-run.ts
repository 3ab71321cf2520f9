import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { placeCluster } from '#testing';

import { startServerProcess, throughline, type ServerProcess } from '../server-process.js';
import { type PageCommand, type PageFile, pairServerValues } from './console-page.js';

type Environment = Readonly<Record<string, string>>;

const assignment = /^([A-Z_]+)=(\S*)$/;
const rootKey = 'root-key-of-the-docs-e2e-tests';
const trustedKeys = 'THROUGHLINE_TRUSTED_EXPORT_KEYS';

/**
 * Runs the commands of a page in a new folder, without a shell: `throughline` with arguments, assignments before it or
 * after `export`, and ^C, which stops the last server. Servers choose free ports and generate keys for exports; the
 * output has the ports and the keys of the page instead.
 */
export class PageRun {
  readonly #servers: ServerProcess[] = [];
  /** The port of the last started server, by the port that the page shows for it. */
  readonly #ports = new Map<string, string>();
  /** The generated value, by the value in the page. */
  readonly #names = new Map<string, string>();
  #exported: Environment = {};
  #exportedFile = '';

  private constructor(
    private readonly folder: string,
    private readonly base: Environment,
  ) {}

  static async begin(base: Environment): Promise<PageRun> {
    const folder = await mkdtemp(join(tmpdir(), 'throughline-docs-'));
    // PostgreSQL runs as another user if the tests run as root.
    await chmod(folder, 0o755);
    return new PageRun(folder, base);
  }

  /** Writes the files of the page into the folder. */
  async write(files: readonly PageFile[]): Promise<void> {
    for (const { name, text } of files) {
      const path = join(this.folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }

  /** Returns the lines that the command prints, and its exit code unless it is 0. */
  async run({ text, expected }: PageCommand): Promise<readonly string[]> {
    const lines = await this.#run(this.#withNames(text));
    for (const [placeholder, name] of pairServerValues(expected, lines))
      this.#names.set(placeholder, name);
    return lines;
  }

  /** Replaces the ids and secrets of the page with those that this server generated. */
  #withNames(text: string): string {
    return [...this.#names].reduce(
      (all, [placeholder, name]) => all.replaceAll(placeholder, name),
      text,
    );
  }

  async #run(text: string): Promise<readonly string[]> {
    if (text === '^C') return this.#stopLast();
    const words = wordsOf(text.replace(/\s+#.*$/, ''));
    if (words[0] === 'export') {
      const assigned = assignmentsOf(words.slice(1));
      const override = trustedKeys in assigned ? { [trustedKeys]: await this.#publicKey() } : {};
      this.#exported = { ...this.#exported, ...assigned, ...override };
      return [];
    }
    const commandAt = words.findIndex((word) => !assignment.test(word));
    const env = this.#environment(assignmentsOf(words.slice(0, commandAt)));
    const args = argumentsOf(words.slice(commandAt), text);
    if (args[0] === 'export') this.#exportedFile = args[args.indexOf('--out') + 1] ?? '';
    if (args[0] === 'start') return this.#start(env);
    const { code, out, err } = await throughline(
      args,
      this.#onChosenPort(env),
      undefined,
      this.folder,
    );
    // Standard error has progress, which depends on the machine, so that it is included for failed commands only.
    return this.#lines(code === 0 ? out : `${out}${err}\n(exit code ${code})`);
  }

  async end(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }

  async #start(env: Environment): Promise<readonly string[]> {
    const data = join(this.folder, env['THROUGHLINE_DATA_DIR'] ?? '.throughline');
    if (!existsSync(data)) await placeCluster(data);
    const server = await startServerProcess({ ...env, THROUGHLINE_PORT: '0' }, this.folder);
    this.#servers.push(server);
    this.#ports.set(portOf(env), new URL(server.address).port);
    return this.#lines(server.output().out).filter((line) => line.includes('listens on'));
  }

  async #stopLast(): Promise<readonly string[]> {
    const { code, err } = (await this.#servers.pop()?.stop('SIGINT')) ?? { code: null, err: '' };
    if (code !== 0) throw new Error(`the server ended with ${code}: ${err}`);
    return [];
  }

  /** The public key that signed the last exported file. */
  async #publicKey(): Promise<string> {
    const text = await readFile(join(this.folder, this.#exportedFile), 'utf8');
    return /\{"signature":.*"key":"([^"]+)"/.exec(text)?.[1] ?? '';
  }

  /** The page's variables. */
  #environment(assigned: Environment): Environment {
    return {
      THROUGHLINE_ADMIN_KEY: rootKey,
      THROUGHLINE_KEY: rootKey,
      ...this.base,
      ...this.#exported,
      ...assigned,
    };
  }

  /** The environment of a command that calls a server; without a server, a port on which no process listens. */
  #onChosenPort(env: Environment): Environment {
    return { ...env, THROUGHLINE_PORT: this.#ports.get(portOf(env)) ?? '1' };
  }

  #lines(output: string): readonly string[] {
    let text = output.replaceAll(`${this.folder}/`, '');
    for (const [placeholder, port] of this.#ports)
      text = text.replaceAll(`:${port}`, `:${placeholder}`);
    return text === '' ? [] : text.split('\n').map((line) => line.trimEnd());
  }
}

function portOf(env: Environment): string {
  return env['THROUGHLINE_PORT'] ?? '3000';
}

function argumentsOf(words: readonly string[], text: string): readonly string[] {
  const [first, ...rest] = words[0] === 'npx' ? words.slice(1) : words;
  if (first !== 'throughline') throw new Error(`a page runs throughline only, not: ${text}`);
  return rest;
}

function assignmentsOf(words: readonly string[]): Environment {
  return Object.fromEntries(
    words.map((word) => {
      const [, name = '', value = ''] = assignment.exec(word) ?? [];
      if (name === '') throw new Error(`no assignment: ${word}`);
      return [name, value];
    }),
  );
}

/** Splits at spaces; quotes group words and are removed. */
function wordsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, one, two, plain]) =>
    String(one ?? two ?? plain),
  );
}
