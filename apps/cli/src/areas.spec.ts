import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { areas, describeGroup, renderAreas } from './areas.js';
import { contentCommands } from './commands/contents.js';
import { commands } from './commands/index.js';
import { planCommands } from './commands/plans.js';
import { workspaceCommands } from './commands/workspace.js';
import { keyOf } from './declared/fields.js';

const names = commands.map(({ name }) => name);
const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/cli.md'), 'utf8');
const suite = readFileSync(join(root, 'test/e2e/cli-commands.e2e-spec.ts'), 'utf8');

/** Returns the commands in the tables of an area; `noun verb`, `verb` are two commands. */
function documented(title: string): readonly string[] {
  const [, section = ''] = page.split(`\n### ${title}\n`);
  const [tables = ''] = section.split(/\n##/);
  return [...tables.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => namesIn(cell));
}

function namesIn(cell: string): readonly string[] {
  const spans = [...cell.matchAll(/`([^`]*)`/g)].map(([, span = '']) =>
    span.replace(/ ?(<|\[|--).*$/, ''),
  );
  const [first = '', ...others] = spans.filter((span) => span !== '');
  const [noun = ''] = first.split(' ');
  const named = others.map((span) =>
    names.includes(`${noun} ${span}`) ? `${noun} ${span}` : span,
  );
  return [first, ...named];
}

describe('areas of commands', () => {
  it('contain every command', () => {
    const words = areas.flatMap((area) => Object.keys(area.words));
    expect(new Set(words).size).toBe(words.length);
    const used = new Set(names.map((name) => name.split(' ')[0]));
    expect([...used].toSorted()).toEqual(words.toSorted());
  });

  it('describe every group of commands', () => {
    const groups = names
      .filter((name) => name.includes(' '))
      .map((name) => name.split(' ')[0] ?? '');
    const nameless = groups.filter((word) => describeGroup(word) === word && !names.includes(word));
    expect(nameless).toEqual([]);
  });

  it.each(areas)('have their commands documented: $title', ({ title, words }) => {
    const expected = names.filter((name) => Object.hasOwn(words, name.split(' ')[0] ?? ''));
    expect(documented(title).toSorted()).toEqual(expected.toSorted());
  });

  it('contain only declared commands that an end-to-end test runs', () => {
    const declared = [...contentCommands, ...planCommands, ...workspaceCommands];
    const unused = declared.filter(
      ({ name }) =>
        !new RegExp(
          name
            .split(' ')
            .map((word) => `'${word}'`)
            .join(',\\s*'),
        ).test(suite),
    );
    expect(unused.map(({ name }) => name)).toEqual([]);
  });

  it('contain no command with an argument and an option of the same name', () => {
    const keys = commands.map(({ name, arguments: args = [], options = [] }) => ({
      name,
      keys: [...args, ...options].map(([flags]) => keyOf({ flags })),
    }));
    const ambiguous = keys.filter(({ keys: own }) => new Set(own).size < own.length);
    expect(ambiguous).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are printed in lines that fit a terminal', () => {
    const text = renderAreas(commands, 98);
    expect(text).toContain('risk add, update, list');
    expect(text).toMatch(/^ {2}view · prompt · receipt$/m);
    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });
});
