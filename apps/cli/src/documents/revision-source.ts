import { UsageError } from '../cli-error.js';
import { sha256 } from '../moving/sha256.js';
import { type Session } from '../session.js';
import { decodeText } from './decode-text.js';
import { type FileRevision, readGitBlob } from './git-history.js';
import { type FileGroup, type NamedFile } from './group-files.js';
import { type ImportAnswer, bodyOfDocuments, sendImport } from './import-answer.js';
import { type DocumentOptions } from './import-documents.js';
import { findImportedSources } from './imported-sources.js';
import { countKnownRevisions } from './pending-revisions.js';

/** A file whose revisions are imported, and the id of its context if that is known. */
export type RevisionSource = Readonly<{ file: NamedFile; as: string | undefined }>;

/** Returns the only file. Throws if there are several, or if the server does not store the texts of the format. */
export function revisionSourceOf(
  groups: readonly FileGroup[],
  { format }: DocumentOptions,
): RevisionSource {
  if (!format.isTextStored)
    throw new UsageError(
      `--git is not for ${format.name}: the server stores no texts of such files`,
    );
  const [group, otherGroup] = groups;
  const [file, other] = group?.files ?? [];
  if (!file || otherGroup || other)
    throw new UsageError('--git takes one file', 'import the files one at a time');
  return { file, as: group?.as };
}

/** Imports a revision with its author and time, or checks it in a dry run. */
export async function sendRevision(
  { api }: Session,
  { file, as }: RevisionSource,
  revision: FileRevision,
  { format, apply, register, author }: DocumentOptions,
): Promise<ImportAnswer> {
  const text = await readText(file, revision);
  const body = bodyOfDocuments([{ name: file.name, text }]);
  const claim = { author: author ?? claimedName(revision), time: revision.time };
  const query = { format: format.name, as, dryRun: !apply, register, ...claim };
  return sendImport(api, { body }, query);
}

/** Counts the revisions that need no import. */
export async function countImported(
  { api }: Session,
  { file, as = '' }: RevisionSource,
  revisions: readonly FileRevision[],
  { format }: DocumentOptions,
): Promise<number> {
  const imported = await findImportedSources(api, as, { format: format.name, name: file.name });
  if (imported.length === 0) return 0;
  const hashes: string[] = [];
  for (const revision of revisions) hashes.push(sha256(await readText(file, revision)));
  return countKnownRevisions(hashes, imported);
}

/** Returns the author, cut to the length that the server accepts. */
function claimedName({ author }: FileRevision): string | undefined {
  return author === '' ? undefined : author.slice(0, 256).toWellFormed();
}

async function readText(file: NamedFile, revision: FileRevision): Promise<string> {
  const name = `${file.name} of ${revision.commit.slice(0, 12)}`;
  return decodeText(await readGitBlob(file.path, revision), name);
}
