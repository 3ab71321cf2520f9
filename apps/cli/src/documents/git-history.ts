import { basename, dirname } from 'node:path';

import { UsageError } from '../cli-error.js';
import { runGit } from './run-git.js';

/** A file as a commit left it. `time`: RFC 3339, when its author made it; `blob`: the object that holds the text. */
export type FileRevision = Readonly<{
  commit: string;
  author: string;
  time: string;
  blob: string;
}>;

/** Record, field and path of a line `:<modes> <old blob> <new blob> <status>`. */
const record =
  /\u0001([0-9a-f]{40,64})\u0002([^\u0002]*)\u0002([^\u0002]*)\u0002\0?\n?:\S+ \S+ [0-9a-f]+ ([0-9a-f]+) /g;
const noBlob = /^0+$/;

/**
 * The revisions of a file in the history of the commit that is checked out, oldest first, under the names that it had. What a merge
 * made of it is a revision as well; one that has the text of the revision before it is none.
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
  throw new UsageError(`${path} is in no commit`, 'commit it first, or leave --git out');
}

/** Reads the committed text of a revision. */
export async function readGitBlob(path: string, { blob }: FileRevision): Promise<Buffer> {
  return runGit(dirname(path), ['cat-file', 'blob', blob]);
}

/** Newest first, as git prints it: it cannot follow a file over renames in the other direction. */
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
  const written = all.filter(({ blob }) => !noBlob.test(blob)).toReversed();
  return written.filter(({ blob }, at) => written[at - 1]?.blob !== blob);
}
