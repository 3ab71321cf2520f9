// `npm run migrations:checksum`: writes down the SHA-256 of every new migration in checksums.json.
// A migration that is in there is frozen; to take back one that was never merged, name it: --again <file>.
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const list = join(import.meta.dirname, 'checksums.json');
const again = process.argv.slice(2).filter((argument) => argument !== '--again');
const known = JSON.parse(await readFile(list, 'utf8'));
const files = (await readdir(import.meta.dirname)).filter((file) =>
  /^\d{8}T\d{4}_\w+\.ts$/.test(file),
);
const problems = Object.keys(known)
  .filter((file) => !files.includes(file))
  .map((file) => `${file} is gone`);

for (const file of files) {
  const source = await readFile(join(import.meta.dirname, file));
  const checksum = createHash('sha256').update(source).digest('hex');
  if (known[file] !== undefined && known[file] !== checksum && !again.includes(file))
    problems.push(`${file} was changed after it was frozen`);
  else known[file] = checksum;
}

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\nAdd a new migration instead.\n`);
  process.exitCode = 1;
} else {
  const sorted = Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(list, `${JSON.stringify(sorted, null, 2)}\n`);
}
