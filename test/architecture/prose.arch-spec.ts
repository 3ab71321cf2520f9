import { parse } from 'yaml';
import { z } from 'zod';

import { lintTexts } from '../prose/lint-texts.mjs';
import { readProjectFile } from './project-files.js';

const wordList = z.object({
  rules: z.array(z.object({ expected: z.string(), pattern: z.string(), example: z.string() })),
});

const { rules } = wordList.parse(parse(readProjectFile('test/prose/words.yml')));

describe('the word list', () => {
  it.each(rules)('matches its example: $example', async ({ expected, example }) => {
    const hits = await lintTexts([{ path: 'page.md', text: `${example}\n` }]);
    expect(hits.map(({ suggestion }) => suggestion)).toContain(expected);
  });
});

describe('the prose linter', () => {
  it.each([
    ['a comment', '// Rows are loaded anew.'],
    ['a documentation comment', '/** Rows are loaded anew. */'],
    ['an error message', "throw new Error('rows are loaded anew');"],
    ['a template', 'report(`${rows} are loaded anew`);'],
    ['a test title', "it('loads rows anew', () => {});"],
    ['the title of a table of tests', "it.each([1])('loads %s anew', () => {});"],
  ])('checks %s', async (_, text) => {
    expect(await phrasesIn('libs/a/src/a.ts', text)).toEqual(['anew']);
  });

  it.each(['type Asked = string;', 'interface Asked {}', 'export class Asked {}'])(
    'checks the type name of %s',
    async (text) => {
      expect(await phrasesIn('libs/a/src/a.ts', text)).toEqual(['type Asked']);
    },
  );

  it('finds phrases that span two lines', async () => {
    const source = '/**\n * The worker goes\n * on later.\n */\n// It comes\n// to nothing.\n';
    expect(await phrasesIn('libs/a/src/a.ts', source)).toEqual(['goes on', 'comes to']);
    expect(await phrasesIn('docs/a.md', 'The worker goes\non later.\n')).toEqual(['goes on']);
  });

  it('reports the position in the source', async () => {
    const files = ['a', 'b'].map((name) => ({
      path: `libs/${name}/src/a.ts`,
      text: "const a = 1;\n  // Not now.\n  const told = 'loaded anew';\n",
    }));
    expect(await lintTexts(files)).toMatchObject([
      { path: 'libs/a/src/a.ts', line: 3, column: 24, phrase: 'anew' },
      { path: 'libs/b/src/a.ts', line: 3, column: 24, phrase: 'anew' },
    ]);
  });

  it.each([
    ['code in a comment', 'libs/a/src/a.ts', '/** See `anew` and {@link anew}. */'],
    ['an identifier', 'libs/a/src/a.ts', "const anew = { kept: 'told' };"],
    ['test data', 'libs/a/src/a.spec.ts', "const text = 'rows are loaded anew';"],
    ['an exempt line of code', 'libs/a/src/a.ts', '// prose-ignore: a quotation\n// Loaded anew.'],
    ['a code block', 'docs/a.md', '```ts\n// Loaded anew.\n```\n\nSee `anew`.\n'],
    ['an exempt line', 'docs/a.md', '<!-- prose-ignore: a quotation -->\nLoaded anew.\n'],
  ])('does not check %s', async (_, path, text) => {
    expect(await phrasesIn(path, text)).toEqual([]);
  });

  it('requires a reason for an exemption', async () => {
    expect(await phrasesIn('libs/a/src/a.ts', '// prose-ignore:\n// Loaded anew.')).toEqual([
      'anew',
    ]);
  });
});

async function phrasesIn(path: string, text: string): Promise<string[]> {
  const hits = await lintTexts([{ path, text }]);
  return hits.map(({ phrase }) => phrase);
}
