import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './child-processes.mjs';

/**
 * Paths that differ from `ref`, including untracked and deleted ones. Without a ref these are the changes of the
 * working tree or, if it is clean, those of the last commit.
 */
export function listChanges(ref) {
  // Changes of the other branch since the merge base are not part of this change.
  if (ref !== undefined) return { since: ref, changed: changedSince(mergeBase(ref)) };
  const changed = changedSince('HEAD');
  if (changed.length === 0 && !isCommit('HEAD~1'))
    throw new Error('--changed needs the commit before HEAD, which this clone does not have');
  return changed.length > 0
    ? { since: 'HEAD', changed }
    : { since: 'HEAD~1', changed: changedSince('HEAD~1') };
}

/** The texts of the project's files by their paths, without installed, built and large generated ones. */
export function readSources() {
  const paths = git('ls-files', '--cached', '--others', '--exclude-standard');
  return new Map(
    paths.filter((path) => /\.([cm]?[jt]s)$/.test(path)).flatMap((path) => readText(path)),
  );
}

export function isCommit(ref) {
  try {
    git('rev-parse', '--quiet', '--verify', `${ref}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

function changedSince(ref) {
  const tracked = git('diff', '--name-only', '--no-renames', ref, '--');
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return [...new Set([...tracked, ...untracked])].sort();
}

function mergeBase(ref) {
  try {
    return git('merge-base', ref, 'HEAD')[0];
  } catch {
    throw new Error(`--changed: this clone has no common ancestor of ${ref} and HEAD`);
  }
}

/** A deleted file that is still tracked has no text. */
function readText(path) {
  try {
    return [[path, readFileSync(join(root, path), 'utf8')]];
  } catch {
    return [];
  }
}

function git(...args) {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  return execFileSync('git', ['-c', 'core.quotePath=false', ...args], options)
    .split('\n')
    .filter((line) => line !== '');
}
