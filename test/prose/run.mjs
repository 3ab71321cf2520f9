// `npm run lint:prose`: finds phrases of the word list (words.yml) in comments, messages, test titles, type names and Markdown.
//   npm run lint:prose                           the whole tree
//   npm run lint:prose -- libs/views docs        some files or folders
//   npm run lint:prose -- --counts libs          how often, by folder and by suggestion
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { isChecked } from './files.mjs';
import { lintTexts } from './lint-texts.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { counts: { type: 'boolean', default: false } },
});
const paths = listFiles(positionals).filter(isChecked);
if (paths.length === 0) {
  process.stderr.write(`no file to check: ${positionals.join(' ')}\n`);
  process.exit(2);
}
const hits = await lintTexts(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })));
if (hits.length > 0) {
  process.stdout.write(
    `${(values.counts ? describeCounts(hits) : describeHits(hits)).join('\n')}\n`,
  );
  process.stdout.write(
    `${hits.length} words or phrases of test/prose/words.yml: see CONTRIBUTING.md\n`,
  );
  process.exitCode = 1;
}

/** Files of the repository and new ones that are not ignored. */
function listFiles(within) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...within];
  const output = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return output.split('\0').filter((path) => path !== '' && existsSync(path));
}

function describeHits(found) {
  const lines = [];
  for (const [suggestion, group] of Map.groupBy(found, (hit) => hit.suggestion)) {
    lines.push(`${suggestion} (${group.length})`);
    for (const { path, line, column, phrase } of group) {
      lines.push(`  ${path}:${line}:${column}  ${phrase}`);
    }
  }
  return lines;
}

function describeCounts(found) {
  return [
    ...count(found, ({ path }) => path.split('/').slice(0, -1).slice(0, 2).join('/') || path),
    '',
    ...count(found, ({ suggestion }) => suggestion),
  ];
}

function count(found, key) {
  const groups = [...Map.groupBy(found, key)].map(([name, { length }]) => ({ name, length }));
  return groups
    .sort((a, b) => b.length - a.length)
    .map(({ name, length }) => `${String(length).padStart(6)}  ${name}`);
}
