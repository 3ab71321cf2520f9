import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type Kysely } from 'kysely';

import { WorkflowStore } from '#application';
import { type Database } from '#database';
import { type WorkflowReport, readWorkflow } from '#workflow';

import { type Config } from './config.js';
import { type Logger } from './logger.js';

/** The workspace and the author of definitions from a directory. */
const workspace = 'default';
const by = 'WORKFLOWS_DIR';

/** Lists every error of every file, one per line. */
export class WorkflowFilesError extends Error {
  override readonly name = 'WorkflowFilesError';
}

type WorkflowFile = Readonly<{ file: string; report: WorkflowReport }>;

type PublishWorkflowsInput = Readonly<{
  db: Kysely<Database>;
  config: Pick<Config, 'workflowsDir'>;
  log: Logger;
}>;

/**
 * Publishes the definitions in the files `*.json` and `*.jsonc` of the configured directory. Throws {@link WorkflowFilesError} before
 * it publishes any if one has an error. Does not publish unchanged definitions again.
 */
export async function publishWorkflows({ db, config, log }: PublishWorkflowsInput): Promise<void> {
  const { workflowsDir } = config;
  if (workflowsDir === undefined) return;
  const files = await readDirectory(workflowsDir);
  const errors = [...files.flatMap(errorsOf), ...repeatedIds(files)];
  if (errors.length > 0) throw new WorkflowFilesError(errors.join('\n'));
  const store = new WorkflowStore(db);
  for (const { file, report } of files) {
    const { definition, value, faults } = report;
    if (!definition || value === undefined) continue;
    for (const { message, line, column } of faults)
      log.warn({ file, line, column }, `a definition probably has a mistake: ${message}`);
    const { view, outcome } = await store.publish(workspace, { definition, value, by });
    const { definitionId, version } = view;
    if (outcome !== 'unchanged') log.info({ file, definitionId, version }, 'workflow published');
  }
}

async function readDirectory(directory: string): Promise<readonly WorkflowFile[]> {
  const names = await readdir(directory).catch((cause: Error) => {
    throw new WorkflowFilesError(`WORKFLOWS_DIR: ${cause.message}`, { cause });
  });
  const files = names.filter((name) => /\.jsonc?$/.test(name)).toSorted();
  return Promise.all(
    files.map(async (name) => {
      const file = join(directory, name);
      return { file, report: readWorkflow(await readFile(file, 'utf8')) };
    }),
  );
}

function errorsOf({ file, report: { faults } }: WorkflowFile): readonly string[] {
  return faults
    .filter(({ severity }) => severity === 'error')
    .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
}

function repeatedIds(files: readonly WorkflowFile[]): readonly string[] {
  const owners = new Map<string, string>();
  return files.flatMap(({ file, report: { definition } }) => {
    if (!definition) return [];
    const other = owners.get(definition.id);
    owners.set(definition.id, other ?? file);
    return other === undefined ? [] : [`${file}: the id ${definition.id} is also used by ${other}`];
  });
}
