// The inputs of a build, and the check whether one of them has changed. Every command runs the check first.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sourceFolders = ['apps', 'libs', 'packages', 'migrations'];
/** Files besides the sources that affect the build; the lock file determines the compiler. */
export const settings = [
  'package.json',
  'package-lock.json',
  'apps/cli/bin/build.mjs',
  'apps/cli/bin/bundle.mjs',
  'apps/cli/bin/console.mjs',
  'apps/cli/bin/programs.mjs',
  'apps/cli/bin/sources.mjs',
  'apps/cli/bin/compiler-options.mjs',
];
/** npm's list of the installed packages. */
export const installed = 'node_modules/.package-lock.json';
const unbuilt =
  /spec\.ts$|\.(contract|fixture|d)\.ts$|\.md$|^libs\/testing\/|^apps\/cli\/bin\/|^packages\/(langgraph\/|[^/]+\/dist\/|(.*\/)?tsconfig\.json$|.*\.mjs$)/;
/** A file that changed this recently may change again without getting another timestamp. */
const minAgeMs = 1_000;
const stampName = '.stamp';

/** Returns the sorted paths of all sources, relative to the root. */
export function listSources(root) {
  return sourceFolders.flatMap((folder) => listFolder(root, folder)).sort();
}

/** Lists folder by folder: `recursive` takes 20 ms longer for a thousand files. */
function listFolder(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFolder(root, path);
    return entry.isFile() && !unbuilt.test(path) ? [path] : [];
  });
}

/**
 * Returns a hash of the sizes and times of all inputs of a build, which is faster than a hash of their contents. It
 * includes ctime, which programs cannot set. Undefined if a file is missing or has just changed.
 */
export function stampOf(root) {
  const hash = createHash('sha256');
  const before = Date.now() - minAgeMs;
  try {
    for (const file of [...listSources(root), ...settings, installed]) {
      const { size, mtimeMs, ctimeMs } = statSync(join(root, file));
      if (ctimeMs > before) return undefined;
      hash.update(`${file} ${size} ${mtimeMs} ${ctimeMs}\n`);
    }
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

/** Returns whether the stamp of the current build matches its inputs. If not, the contents must be compared. */
export function hasStampOfBuild(root) {
  try {
    return readFileSync(join(root, 'dist', stampName), 'utf8') === stampOf(root);
  } catch {
    return false;
  }
}

/**
 * Stores the stamp of the inputs with the build of this fingerprint. If the directory is not writable, each command
 * compares contents.
 */
export function writeStamp(root, fingerprint, stamp) {
  if (stamp === undefined) return;
  // Not through the link, which may point to another build by now.
  const file = join(root, `dist.${fingerprint}`, stampName);
  const draft = `${file}-${process.pid}`;
  try {
    writeFileSync(draft, stamp);
    renameSync(draft, file);
  } catch {
    // Not writable: contents are compared each time.
  }
}
