import { readSecurityTable } from '../runner/security-table.mjs';
import { listProjectFiles, readProjectFile } from './project-files.js';

const rows = readSecurityTable();
const isRun = /^(apps|libs|test\/e2e)\/.*\.((int|e2e)-)?spec\.ts$/;

describe('docs/security.md', () => {
  it('lists attacks, each once', () => {
    expect(rows.length).toBeGreaterThan(40);
    const tests = rows.map(({ suite, title }) => `${suite}: ${title}`);
    expect(tests.filter((test, at) => tests.indexOf(test) !== at)).toEqual([]);
  });

  it.each(rows)('$attack: has its test', ({ suite, title }) => {
    expect(listProjectFiles()).toContain(suite);
    expect(suite).toMatch(isRun);
    expect(isTest(readProjectFile(suite), title)).toBe(true);
  });

  it.each([
    ["it('t', () => {});", true],
    ["  it.each([\n  1,\n])(\n    't',", true],
    ["it.skip('t', () => {});", false],
    ["it.each([1])('s', () => {});\n// it.each([1])('t', () => {});", false],
    ["it('s', () => {\n  expect('t')", false],
  ])('reports %j as a test that is run: %j', (source, isRunThere) => {
    expect(isTest(source, 't')).toBe(isRunThere);
  });
});

/** Whether a title belongs to a test that is neither skipped nor commented out. */
function isTest(source: string, title: string): boolean {
  const code = source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
  const parts = code.split(`'${title}'`).slice(0, -1);
  return parts.some((before) => {
    const statement = before.split(/^(?=[ \t]*[fx]?(?:it|test|describe)\b)/m).at(-1) ?? '';
    return /^[ \t]*(it|test)(\.each[<(][^]*\))?\(\s*$/.test(statement);
  });
}
