// What a build is made of, and whether any of it has changed since: every command asks that before it does anything.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sourceFolders = ['apps', 'libs', 'packages', 'migrations'];
/** Beside the sources, what decides how they compile; the lock file names the compiler. */
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
/** What npm has installed. */
export const installed = 'node_modules/.package-lock.json';
const unbuilt =
  /spec\.ts$|\.(contract|fixture|d)\.ts$|\.md$|^libs\/testing\/|^apps\/cli\/bin\/|^packages\/(langgraph\/|[^/]+\/dist\/|(.*\/)?tsconfig\.json$|.*\.mjs$)/;
/** A file that changed this shortly before it was looked at may change once more without another time. */
const settledMs = 1_000;
const stampName = '.stamp';

/** The paths of all sources, from the root, in order. */
export function listSources(root) {
  return sourceFolders.flatMap((folder) => listFolder(root, folder)).sort();
}

/** Folder by folder, as `recursive` takes 20 ms longer for a thousand files. */
function listFolder(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFolder(root, path);
    return entry.isFile() && !unbuilt.test(path) ? [path] : [];
  });
}

/**
 * Sizes and times of everything that a build depends on, as a hash, which is found sooner than the hash of all contents. The time of
 * the last change of any kind is part of it, which no program can set. Undefined if a file is missing, or changed just now.
 */
export function stampOf(root) {
  const hash = createHash('sha256');
  const before = Date.now() - settledMs;
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

/** Whether the current build has the stamp of what is there now; if not, only contents say whether it is current. */
export function hasStampOfBuild(root) {
  try {
    return readFileSync(join(root, 'dist', stampName), 'utf8') === stampOf(root);
  } catch {
    return false;
  }
}

/**
 * Notes that the build with this fingerprint was made of what had this stamp. In a directory that cannot be written, contents are compared
 * each time.
 */
export function writeStamp(root, fingerprint, stamp) {
  if (stamp === undefined) return;
  // In the build itself: the link may lead to another one by now.
  const file = join(root, `dist.${fingerprint}`, stampName);
  const draft = `${file}-${process.pid}`;
  try {
    writeFileSync(draft, stamp);
    renameSync(draft, file);
  } catch {
    // As above.
  }
}
