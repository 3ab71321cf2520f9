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

/** A file whose revisions are imported, and the context that it becomes, if that is known. */
export type RevisionSource = Readonly<{ file: NamedFile; as: string | undefined }>;

/** Throws unless the files are one, in a format whose texts are stored. */
export function revisionSourceOf(
  groups: readonly FileGroup[],
  { format }: DocumentOptions,
): RevisionSource {
  if (!format.isTextStored)
    throw new UsageError(`--git is not for ${format.name}: no revisions of such files are kept`);
  const [group, otherGroup] = groups;
  const [file, other] = group?.files ?? [];
  if (!file || otherGroup || other)
    throw new UsageError('--git takes one file', 'import the files one at a time');
  return { file, as: group?.as };
}

/** Imports a revision by its author at its time, or says what an import of it would do. */
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

/** How many revisions need no import any more. */
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

/** As much as the server takes. */
function claimedName({ author }: FileRevision): string | undefined {
  return author === '' ? undefined : author.slice(0, 256).toWellFormed();
}

async function readText(file: NamedFile, revision: FileRevision): Promise<string> {
  const name = `${file.name} of ${revision.commit.slice(0, 12)}`;
  return decodeText(await readGitBlob(file.path, revision), name);
}
