import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const file = join(import.meta.dirname, 'RESULTS.md');

/** Writes the results of one benchmark, a part that begins with `# title`, and preserves those of others. */
export async function keepResults(title, text) {
  const before = await readFile(file, 'utf8').catch(() => '');
  const parts = before.split(/^(?=# )/m).filter((part) => part.startsWith('# '));
  const isOurs = (part) => part.startsWith(`# ${title}\n`);
  const at = parts.findIndex(isOurs);
  const kept = at < 0 ? [...parts, text] : parts.with(at, text);
  await writeFile(
    file,
    kept
      .map((part) => part.trimEnd())
      .join('\n\n')
      .concat('\n'),
  );
}
