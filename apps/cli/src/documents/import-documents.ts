import { UsageError } from '../cli-error.js';
import { countOf } from '../rate.js';
import { type Session } from '../session.js';
import { ByteProgress } from './byte-progress.js';
import { nameOf } from './find-files.js';
import { type FileGroup } from './group-files.js';
import { requestsOf } from './group-requests.js';
import { sendImport } from './import-answer.js';
import { type ImportFormat } from './import-formats.js';
import { type ImportResult, ImportTally } from './import-tally.js';
import { Refusals } from './refusals.js';
import { reportImports } from './report-imports.js';

export type DocumentOptions = Readonly<{
  format: ImportFormat;
  /** Whether to store the documents; otherwise the import is a dry run. */
  apply: boolean;
  register?: boolean | undefined;
  author?: string | undefined;
}>;

/** Checks all contexts before it stores the first one. */
export async function importDocuments(
  session: Session,
  groups: readonly FileGroup[],
  options: DocumentOptions,
): Promise<void> {
  const started = performance.now();
  const checked = await checkAll(session, groups, options);
  const results = options.apply ? await storeAll(session, groups, options) : checked;
  const seconds = (performance.now() - started) / 1000;
  reportImports(session, results, { dryRun: !options.apply, seconds });
}

async function checkAll(
  session: Session,
  groups: readonly FileGroup[],
  options: DocumentOptions,
): Promise<readonly ImportResult[]> {
  const progress = progressOf(session, groups, 'checking');
  const refusals = new Refusals();
  const owners = new Map<string, string>();
  const results: ImportResult[] = [];
  for (const group of groups) {
    const result = await refusals
      .check(async () => {
        const checked = await importGroup(session, group, { ...options, apply: false }, progress);
        claimContext(owners, checked);
        return checked;
      }, labelOf(group))
      .finally(() => progress.end());
    if (result) results.push(result);
  }
  refusals.throwIfAny(session);
  return results;
}

/** Returns the folder of files whose names on the server are relative to it. */
function labelOf({ files: [first] }: FileGroup): string {
  const path = nameOf(first?.path ?? '');
  const folder = path.slice(0, Math.max(0, path.length - (first?.name.length ?? 0)));
  return folder === '' ? '' : `${folder} `;
}

/** Throws if another group becomes the same context: the server would store the files as revisions of each other. */
function claimContext(owners: Map<string, string>, { contextId, files }: ImportResult): void {
  const name = files.join(', ');
  const other = owners.get(contextId);
  if (other !== undefined)
    throw new UsageError(
      `${name}: becomes the same context "${contextId}" as ${other}: choose another one with --as`,
    );
  owners.set(contextId, name);
}

async function storeAll(
  session: Session,
  groups: readonly FileGroup[],
  options: DocumentOptions,
): Promise<readonly ImportResult[]> {
  const progress = progressOf(session, groups, 'importing');
  const results: ImportResult[] = [];
  try {
    for (const group of groups) results.push(await importGroup(session, group, options, progress));
    return results;
  } catch (error) {
    progress.end();
    session.terminal.warn(
      `${countOf(results.length, 'context')} of ${groups.length} imported: repeat the command to import the rest`,
    );
    throw error;
  } finally {
    progress.end();
  }
}

async function importGroup(
  { api }: Session,
  group: FileGroup,
  { format, apply, register, author }: DocumentOptions,
  progress: ByteProgress,
): Promise<ImportResult> {
  const tally = new ImportTally(group.files);
  const query = { format: format.name, as: group.as, dryRun: !apply, register, author };
  for await (const request of requestsOf(group, format)) {
    tally.add(await sendImport(api, request, query));
    progress.add(request.bytes);
  }
  return tally.result();
}

function progressOf(
  { terminal }: Session,
  groups: readonly FileGroup[],
  label: string,
): ByteProgress {
  const files = groups.flatMap((group) => group.files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return new ByteProgress(terminal.progress, label, bytes);
}
