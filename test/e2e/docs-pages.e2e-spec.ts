import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { commandsOf, filesOf, masked, matches, rewritten } from './docs/console-page.js';
import { PageRun } from './docs/page-run.js';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const trails = join(data, 'handoffs', 'agent-trail.jsonl');
/** A page starts dozens of processes, one after another. */
const limitMs = 300_000;
const writes = process.env['THROUGHLINE_DOCS'] === 'write';

/** With THROUGHLINE_DOCS=write, what the commands print is put into the page instead of compared. */
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
      // What failed is never written down as what a reader will see.
      if (!writes || lines.at(-1)?.startsWith('(exit code'))
        expect(shown(name, command, lines)).toEqual(shown(name, command));
    }
  } finally {
    await run.end();
  }
  if (writes && outputs.size > 0) await writeFile(path, rewritten(page, outputs));
}

function shown(
  page: string,
  { line, text, expected }: ReturnType<typeof commandsOf>[number],
  lines = expected,
): string {
  return [`docs/${page}:${line} $ ${text}`, ...lines.map(masked)].join('\n');
}

describe('the pages of docs/', () => {
  it(
    'your-first-workflow.md shows what its commands print',
    () => prove('your-first-workflow.md'),
    limitMs,
  );

  it(
    'bring-what-you-have.md shows what its commands print',
    () => prove('bring-what-you-have.md'),
    limitMs,
  );

  it('operations.md shows what its commands print', () => prove('operations.md'), limitMs);

  if (existsSync(trails))
    it('audit.md answers from real trails what it says', () => prove('audit.md'), limitMs);
  else
    it(`audit.md has questions; the trails are ABSENT in ${data}, so they are not answered here`, async () => {
      const page = await readFile(join(root, 'docs', 'audit.md'), 'utf8');
      expect(commandsOf(page).length).toBeGreaterThan(10);
    });
});
