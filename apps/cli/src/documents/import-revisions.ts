import { printableLine } from '../printable.js';
import { countOf } from '../rate.js';
import { type Session } from '../session.js';
import { type FileRevision, readGitHistory } from './git-history.js';
import { type FileGroup } from './group-files.js';
import { type ImportAnswer } from './import-answer.js';
import { type DocumentOptions } from './import-documents.js';
import { ImportTally } from './import-tally.js';
import { Refusals } from './refusals.js';
import { noteLines, reportImports } from './report-imports.js';
import {
  type RevisionSource,
  countImported,
  revisionSourceOf,
  sendRevision,
} from './revision-source.js';

/** Imports the revisions of one file that are not imported yet, oldest first. It checks all of them before. */
export async function importRevisions(
  session: Session,
  groups: readonly FileGroup[],
  options: DocumentOptions,
): Promise<void> {
  const started = performance.now();
  const named = revisionSourceOf(groups, options);
  const revisions = await readGitHistory(named.file.path);
  const source = { ...named, as: await findContext(session, named, revisions, options) };
  const known = await countImported(session, source, revisions, options);
  const pending = revisions.slice(known);
  const progress = session.terminal.progress;
  const newest = await checkAll(session, source, pending, options).finally(() => progress?.clear());
  if (!options.apply) return reportCheck(session, source, { known, pending, newest });
  const result = await storeAll(session, source, pending, options).finally(() => progress?.clear());
  session.terminal.warn(
    `${countOf(pending.length, 'revision')} of ${printableLine(source.file.name)} imported, ${known} before`,
  );
  const seconds = (performance.now() - started) / 1000;
  reportImports(session, [{ ...result, contextId: source.as }], { dryRun: false, seconds });
}

/** Returns the context of the first revision: a later title must not lead to another context. */
async function findContext(
  session: Session,
  source: RevisionSource,
  [first]: readonly FileRevision[],
  options: DocumentOptions,
): Promise<string> {
  if (source.as !== undefined) return source.as;
  if (!first) throw new Error('a file without revisions has no context');
  const { contexts } = await sendRevision(session, source, first, { ...options, apply: false });
  return contexts[0].contextId;
}

/** Checks every revision and returns the answer to the newest one. */
async function checkAll(
  session: Session,
  source: RevisionSource,
  revisions: readonly FileRevision[],
  options: DocumentOptions,
): Promise<ImportAnswer | undefined> {
  const refusals = new Refusals();
  let newest: ImportAnswer | undefined;
  for (const [at, revision] of revisions.entries()) {
    session.terminal.progress?.show(`checking revision ${at + 1} of ${revisions.length}`);
    newest = await refusals.check(
      () => sendRevision(session, source, revision, { ...options, apply: false }),
      `revision ${revision.commit.slice(0, 12)}: `,
    );
  }
  refusals.throwIfAny(session);
  return newest;
}

async function storeAll(
  session: Session,
  source: RevisionSource,
  revisions: readonly FileRevision[],
  options: DocumentOptions,
) {
  const tally = new ImportTally([source.file]);
  for (const [at, revision] of revisions.entries()) {
    session.terminal.progress?.show(`importing revision ${at + 1} of ${revisions.length}`);
    const answer = await sendRevision(session, source, revision, options);
    // Most notes are the same for all revisions.
    tally.add({ ...answer, notes: at === revisions.length - 1 ? answer.notes : [] });
  }
  return tally.result();
}

type RevisionCheck = Readonly<{
  known: number;
  pending: readonly FileRevision[];
  newest: ImportAnswer | undefined;
}>;

function reportCheck(
  { terminal, json }: Session,
  { file, as: contextId }: RevisionSource,
  { known, pending, newest }: RevisionCheck,
): void {
  const notes = newest?.notes ?? [];
  if (json) {
    const revisions = pending.map(({ commit, author, time }) => ({ commit, author, time }));
    const context = { contextId, files: [file.name], known, revisions, notes };
    return terminal.write(JSON.stringify({ dryRun: true, contexts: [context] }));
  }
  const lines = [
    `${contextId}: would get ${countOf(pending.length, 'revision')} of ${file.name}, ${known} imported before`,
    ...pending.map(({ commit, time, author }) => `  ${commit.slice(0, 12)} ${time} ${author}`),
    ...noteLines(notes, 0),
  ];
  terminal.write(lines.map(printableLine).join('\n'));
  terminal.warn('this was a dry run, nothing was stored: add --apply to import');
}
