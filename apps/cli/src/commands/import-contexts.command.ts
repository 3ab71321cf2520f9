import { z } from 'zod';

import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { findFiles } from '../documents/find-files.js';
import { groupFiles } from '../documents/group-files.js';
import { importDocuments } from '../documents/import-documents.js';
import { eventsFormat, findImportFormat, importFormatNames } from '../documents/import-formats.js';
import { importRevisions } from '../documents/import-revisions.js';
import { importEvents } from '../moving/import-events.js';
import { isEventsFile } from '../moving/is-events-file.js';
import { type Session } from '../session.js';

const input = z.object({
  path: z.array(z.string()).min(1),
  format: z.string().optional(),
  as: z.string().optional(),
  rename: z.array(z.string()).default([]),
  apply: z.boolean().default(false),
  register: z.boolean().optional(),
  author: z.string().optional(),
  git: z.boolean().default(false),
});

type Input = z.output<typeof input>;

export const importContexts = defineCommand({
  name: 'import',
  summary:
    'Import contexts: documents as a dry run unless --apply is given, exported events immediately; a repeated import continues',
  arguments: [['<path...>', 'files, folders and patterns such as "docs/**/*.md"']],
  options: [
    [
      '--format <format>',
      `format of the files: ${importFormatNames}; event exports of "throughline export" are detected`,
    ],
    ['--apply', 'store the result of the dry run, unless a file is refused'],
    ['--as <context>', 'id of the context to create from the files, or to continue'],
    ['--author <name>', 'author of the parts for which the documents name none'],
    ['--register', 'also register the agents and transformations that the documents define'],
    ['--git', 'import every revision of one file from its git history, oldest first'],
    ['--rename <old=new...>', 'for exported events: import a context of the file under another id'],
  ],
  examples: [
    'throughline import docs/stories --format story-markdown',
    'throughline import docs/stories docs/qa/gates --format story-markdown --apply',
    'throughline import docs/adr --format adr-markdown --as decisions --apply',
    'throughline import docs/stories/1.2.story.md --format story-markdown --git --apply',
    'throughline import run.jsonl --format trajectory-jsonl --as run-7 --apply',
    'throughline import contexts.events.jsonl',
    'throughline import contexts.events.jsonl --rename demo=demo-copy',
  ],
  input,
  run: async (session, given) => {
    const format = given.format ?? (await eventsFormatOf(given.path));
    if (format === eventsFormat) await importEventFiles(session, given);
    else await importDocumentFiles(session, { ...given, format });
  },
});

/** Only event exports are detected: other files may match several formats. */
async function eventsFormatOf(paths: readonly string[]): Promise<string> {
  for (const path of paths)
    if (!(await isEventsFile(path)))
      throw new UsageError(
        `${path} is not an event export: nothing was imported`,
        `pass its --format: ${importFormatNames}`,
      );
  return eventsFormat;
}

async function importEventFiles(session: Session, given: Input): Promise<void> {
  const { path: files, as, rename } = given;
  const stray = (['author', 'register', 'git'] as const).find((name) => given[name]);
  if (stray) throw new UsageError(`--${stray} is for documents, not for exported events`);
  if (as !== undefined && rename.length > 0)
    throw new UsageError('pass --as or --rename, not both');
  for (const file of files) await importEvents(session, file, { as, renamed: renames(rename) });
}

function renames(pairs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const [old = '', name = '', more] = pair.split('=');
      if (old !== '' && name !== '' && more === undefined) return [old, name] as const;
      throw new UsageError(`--rename takes <old>=<new>, not "${pair}"`);
    }),
  );
}

async function importDocumentFiles(
  session: Session,
  { path: paths, format: name, as, rename, git, ...options }: Input & Readonly<{ format: string }>,
): Promise<void> {
  const format = findImportFormat(name);
  if (rename.length > 0) throw new UsageError('--rename is for exported events: use --as');
  const inputs = await findFiles(paths, format.extensions);
  const { groups, unassigned } = groupFiles(inputs, format, as);
  for (const line of unassigned) session.terminal.warn(`skipped: ${line}`);
  const importAll = git ? importRevisions : importDocuments;
  await importAll(session, groups, { ...options, format });
}
