import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { itWhole } from '#testing';

import { commandsOf, filesOf, masked, matches, rewritten } from './docs/console-page.js';
import { PageRun } from './docs/page-run.js';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const trails = join(data, 'handoffs', 'agent-trail.jsonl');
/** A page starts dozens of processes one after another. */
const limitMs = 300_000;
const writes = process.env['THROUGHLINE_DOCS'] === 'write';

/**
 * With THROUGHLINE_DOCS=write, the output of the commands replaces the output in the page instead of being compared
 * with it.
 */
async function prove(name: string): Promise<void> {
  const path = join(root, 'docs', name);
  const page = await readFile(path, 'utf8');
  const run = await PageRun.begin({ THROUGHLINE_DATA: data });
  await run.write(filesOf(page));
  const outputs = new Map<number, readonly string[]>();
  try {
    for (const command of commandsOf(page)) {
      const lines = await run.run(command);
      if (matches(lines, command.expected)) continue;
      outputs.set(command.line, lines);
      // The output of a failed command is never written into a page.
      if (!writes || lines.at(-1)?.startsWith('(exit code'))
        expect(describeRun(name, command, lines)).toEqual(describeRun(name, command));
    }
  } finally {
    await run.end();
  }
  if (writes && outputs.size > 0) await writeFile(path, rewritten(page, outputs));
}

function describeRun(
  page: string,
  { line, text, expected }: ReturnType<typeof commandsOf>[number],
  lines = expected,
): string {
  return [`docs/${page}:${line} $ ${text}`, ...lines.map(masked)].join('\n');
}

describe('the pages of docs/', () => {
  it(
    'your-first-workflow.md shows the real output of its commands',
    () => prove('your-first-workflow.md'),
    limitMs,
  );

  it(
    'bring-what-you-have.md shows the real output of its commands',
    () => prove('bring-what-you-have.md'),
    limitMs,
  );

  it('operations.md shows the real output of its commands', () => prove('operations.md'), limitMs);

  if (existsSync(trails))
    itWhole('audit.md shows the real answers from real trails', () => prove('audit.md'), limitMs);
  else
    it(`audit.md has commands; the trails are ABSENT in ${data}, so the commands are not run here`, async () => {
      const page = await readFile(join(root, 'docs', 'audit.md'), 'utf8');
      expect(commandsOf(page).length).toBeGreaterThan(10);
    });
});
