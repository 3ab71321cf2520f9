import { execFile } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';

import { DatabaseStartError } from '../errors.js';
import { orIfMissing } from './error-code.js';
import { type PostgresBinaries } from './postgres-binaries.js';

const run = promisify(execFile);

type User = { readonly uid: number; readonly gid: number };

/** How to run a PostgreSQL program, and the owner of its files. */
export type ServerAccount = {
  command(program: string, args: readonly string[]): ServerCommand;
  /** Makes the account the owner of a file or empty directory. */
  own(path: string): Promise<void>;
};

type ServerCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: Partial<User> & { readonly env: NodeJS.ProcessEnv };
};

const ownAccount: ServerAccount = {
  command: (file, args) => ({ file, args, options: { env: environment() } }),
  own: async () => {},
};

/**
 * PostgreSQL refuses to run as root. If root starts it, it runs as the owner of the cluster, or else as `postgres` or
 * `nobody`. If that user may not enter a parent directory (such as a checkout below `/root`), it receives the single
 * capability that allows it.
 */
export async function chooseServerAccount(
  binaries: PostgresBinaries,
  clusterDirectory: string,
): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return ownAccount;
  const user = (await ownerOf(clusterDirectory)) ?? (await unprivilegedUser());
  const paths = [binaries.postgres, clusterDirectory].map((path) => dirname(path));
  const own = (path: string) => chown(path, user.uid, user.gid);
  if (await canEnterAll(paths, user))
    return {
      own,
      command: (file, args) => ({ file, args, options: { ...user, env: environment() } }),
    };
  await requireSetpriv();
  return { own, command: (file, args) => withCapability(user, file, args) };
}

async function ownerOf(directory: string): Promise<User | undefined> {
  const { uid, gid } = await orIfMissing<User>(stat(directory), { uid: 0, gid: 0 });
  return uid === 0 ? undefined : { uid, gid };
}

async function unprivilegedUser(): Promise<User> {
  const users = await readFile('/etc/passwd', 'utf8');
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new DatabaseStartError(
    // prose-ignore: `nobody` is the name of a user
    'PostgreSQL refuses to run as root and there is no user "postgres" or "nobody" to run it as: start as another user.',
  );
}

async function canEnterAll(paths: readonly string[], user: User): Promise<boolean> {
  const answers = await Promise.all(paths.flatMap(withParents).map((path) => canEnter(path, user)));
  return answers.every(Boolean);
}

function withParents(path: string): string[] {
  const parent = dirname(resolve(path));
  return parent === path ? [path] : [path, ...withParents(parent)];
}

async function canEnter(path: string, { uid, gid }: User): Promise<boolean> {
  const found = await stat(path);
  const shift = found.uid === uid ? 6 : found.gid === gid ? 3 : 0;
  return ((found.mode >> shift) & 1) === 1;
}

async function requireSetpriv(): Promise<void> {
  await run('setpriv', ['--version']).catch((cause: unknown) => {
    throw new DatabaseStartError(
      'PostgreSQL refuses to run as root, and the user it would run as may not enter this directory: move the project and THROUGHLINE_DATA_DIR to where every user may enter, or start as another user.',
      { cause },
    );
  });
}

function withCapability(user: User, program: string, args: readonly string[]): ServerCommand {
  const capability = '+dac_override';
  const become = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const keep = [`--inh-caps=${capability}`, `--ambient-caps=${capability}`];
  return {
    file: 'setpriv',
    args: [...become, ...keep, program, ...args],
    options: { env: environment() },
  };
}

/**
 * Only the variables that the programs need, since the environment may hold secrets. `LC_ALL` fixes the language of
 * messages.
 */
function environment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMPDIR'];
  const needed = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(needed), LC_ALL: 'C' };
}
