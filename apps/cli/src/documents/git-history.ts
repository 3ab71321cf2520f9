import { basename, dirname } from 'node:path';

import { UsageError } from '../cli-error.js';
import { runGit } from './run-git.js';

/** A file in a commit. `time`: author time as RFC 3339; `blob`: id of the object with the text. */
export type FileRevision = Readonly<{
  commit: string;
  author: string;
  time: string;
  blob: string;
}>;

/** A commit in the output of `git log`: hash, author and time, then a line `:<modes> <old blob> <new blob> <status>`. */
const record =
  /\u0001([0-9a-f]{40,64})\u0002([^\u0002]*)\u0002([^\u0002]*)\u0002\0?\n?:\S+ \S+ [0-9a-f]+ ([0-9a-f]+) /g;
const noBlob = /^0+$/;

/**
 * Returns the revisions of a file in the history of the current commit, oldest first, across renames. The result of a merge
 * is a revision as well; a revision with the text of the previous one is omitted.
 */
export async function readGitHistory(path: string): Promise<readonly FileRevision[]> {
  const format = '%x01%H%x02%an%x02%aI%x02';
  const log = await runGit(dirname(path), [
    'log',
    '--follow',
    '--topo-order',
    '--diff-merges=first-parent',
    '--raw',
    '--no-abbrev',
    '-z',
    '--no-show-signature',
    '--no-color',
    '--no-ext-diff',
    '--encoding=UTF-8',
    `--format=${format}`,
    '--',
    basename(path),
  ]);
  const revisions = parseHistory(log.toString());
  if (revisions.length > 0) return revisions;
  throw new UsageError(`${path} is in no commit`, 'commit it first, or omit --git');
}

/** Reads the committed text of a revision. */
export async function readGitBlob(path: string, { blob }: FileRevision): Promise<Buffer> {
  return runGit(dirname(path), ['cat-file', 'blob', blob]);
}

/** Parses the log. git prints the newest revision first: it cannot follow renames in the other direction. */
function parseHistory(log: string): readonly FileRevision[] {
  const all = Array.from(
    log.matchAll(record),
    ([, commit = '', author = '', time = '', blob = '']) => ({
      commit,
      author,
      time,
      blob,
    }),
  );
  const existing = all.filter(({ blob }) => !noBlob.test(blob)).toReversed();
  return existing.filter(({ blob }, at) => existing[at - 1]?.blob !== blob);
}
