import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { commandsOf, filesOf, masked, rewritten } from './console-page.js';

const run = promisify(execFile);
const marker = 'output ends of the command in line';
const writes = process.env['THROUGHLINE_DOCS'] === 'write';

/**
 * Runs the commands of a page of docs/ in one shell, in a folder with the files that the page shows, and expects the
 * output that the page shows. With THROUGHLINE_DOCS=write, it puts the output into the page instead.
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
  expect(commands.map(({ line }) => [line, outputs.get(line)?.map(masked)])).toEqual(
    commands.map(({ line, expected }) => [line, expected.map(masked)]),
  );
}

/** The lines that each command prints, by the line of the command. */
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

function linesOf(output: string): readonly string[] {
  const lines = output.split('\n').map((line) => line.trimEnd());
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
