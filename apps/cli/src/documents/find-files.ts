import { glob, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';

import { UsageError } from '../cli-error.js';

/** `folder`: the requested folder that contains the file; undefined if the file itself was requested. */
export type InputFile = Readonly<{ path: string; bytes: number; folder: string | undefined }>;

const special = /[*?[\]{}!]/;

/**
 * Returns the files of paths: a file itself, the files of a folder with one of the extensions, and the matches of a pattern.
 * Files of a folder or a pattern are sorted by name; each file is returned once. Hidden files and node_modules are included
 * only if a path names them.
 */
export async function findFiles(
  paths: readonly string[],
  extensions: readonly string[],
): Promise<readonly InputFile[]> {
  const files = new Map<string, InputFile>();
  for (const path of paths)
    for (const file of await filesOf(path, extensions)) {
      const key = resolve(file.path);
      if (!files.has(key)) files.set(key, file);
    }
  return [...files.values()];
}

/** Returns the path relative to `from`, separated by `/`: the name of a file on the server. */
export function nameOf(path: string, from = '.'): string {
  return relative(resolve(from), resolve(path)).split(sep).join('/');
}

async function filesOf(path: string, extensions: readonly string[]): Promise<InputFile[]> {
  const named = await findOne(path);
  const matches = named || !special.test(path) ? [path] : await matchesOf(path);
  const files = await Promise.all(matches.map((one) => filesAt(one, extensions)));
  const all = files.flat();
  if (all.length > 0) return all;
  if (named) throw new UsageError(`${path} has no file that ends in ${extensions.join(', ')}`);
  throw new UsageError(`no file matches ${path}`);
}

/** Returns undefined if the path does not exist. */
async function findOne(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function filesAt(path: string, extensions: readonly string[]): Promise<InputFile[]> {
  const one = await findOne(path);
  if (!one) throw new UsageError(`${path} does not exist`);
  if (!one.isDirectory()) return [{ path, bytes: one.size, folder: undefined }];
  const paths = (await walk(path)).filter((file) => extensions.some((end) => endsIn(file, end)));
  return Promise.all(
    paths.map(async (file) => ({ path: file, bytes: (await stat(file)).size, folder: path })),
  );
}

function endsIn(path: string, extension: string): boolean {
  return path.toLowerCase().endsWith(extension);
}

/** Does not follow symbolic links, which may lead out of the folder or back into it. */
async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const included = entries.filter(({ name }) => !isExcluded(name)).toSorted(byName);
  const files = await Promise.all(
    included.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path);
      return entry.isFile() ? [path] : [];
    }),
  );
  return files.flat();
}

async function matchesOf(pattern: string): Promise<string[]> {
  const named = new Set(pattern.split(/[\\/]/));
  const isIncluded = (path: string) =>
    path.split(/[\\/]/).every((step) => named.has(step) || !isExcluded(step));
  // Not entered, because it may contain more files than everything else.
  const exclude = (path: string) => basename(path) === 'node_modules' && !named.has('node_modules');
  const matches = await Array.fromAsync(glob(pattern, { exclude }));
  return matches.filter(isIncluded).toSorted(byText);
}

function isExcluded(name: string): boolean {
  return name === 'node_modules' || (name.startsWith('.') && name !== '.' && name !== '..');
}

function byName(left: Readonly<{ name: string }>, right: Readonly<{ name: string }>): number {
  return byText(left.name, right.name);
}

/** Compares by code units, for the same order in every locale. */
function byText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
