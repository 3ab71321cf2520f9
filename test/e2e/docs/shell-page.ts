import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { commandsOf, filesOf, rewritten } from './console-page.js';

const run = promisify(execFile);
const marker = 'end of the output of line';
const serverId = /\b[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const writes = process.env['THROUGHLINE_DOCS'] === 'write';

/**
 * Runs the commands of a page of docs/ in one shell, in a folder with the files of the page, and expects the output in
 * the page, except for generated ids. With THROUGHLINE_DOCS=write, it writes the real output into the page instead.
 */
export async function proveShellPage(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const path = join(import.meta.dirname, '..', '..', '..', 'docs', name);
  const page = await readFile(path, 'utf8');
  const commands = commandsOf(page);
  expect(commands.length).toBeGreaterThan(3);
  const outputs = await outputsOf(page, env);
  if (writes) return writeFile(path, rewritten(page, outputs));
  expect(commands.map(({ line }) => [line, outputs.get(line)?.map(withoutIds)])).toEqual(
    commands.map(({ line, expected }) => [line, expected.map(withoutIds)]),
  );
}

/** The output of each command, by the line of the command. */
async function outputsOf(
  page: string,
  env: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-page-'));
  try {
    for (const { name, text } of filesOf(page)) await writeFile(join(folder, name), text);
    const script = commandsOf(page).map(
      ({ line, text }) => `${text}\necho; echo '${marker} ${line}'`,
    );
    const { stdout } = await run('sh', ['-c', script.join('\n')], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    const ends = new RegExp(`([^]*?)\\n${marker} (\\d+)\\n`, 'g');
    return new Map(
      Array.from(stdout.matchAll(ends), ([, output = '', line]) => [Number(line), linesOf(output)]),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

function withoutIds(line: string): string {
  return line.replaceAll(serverId, '<id>');
}

function linesOf(output: string): readonly string[] {
  const lines = output.split('\n');
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
