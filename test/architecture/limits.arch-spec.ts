import { problemCodes } from '../../apps/api/src/problems/problem-code.js';
import { problemTable } from '../../apps/api/src/problems/problem-table.js';
import { listProjectFiles, readProjectFile } from './project-files.js';

const [, ...rows] = readProjectFile('docs/limits.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

const files = new Set(listProjectFiles());
const units: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1_048_576, s: 1000 };
const nowhere = '–';

/** A file, and a text that it contains. */
function referenceIn(cell: string): Readonly<{ file: string; text: string }> {
  const [, file = '', text = ''] = /^`([^`]+)`: (`.+`)$/.exec(cell) ?? [];
  return { file, text: text.replace(/^(?:`` |`)|(?: ``|`)$/g, '') };
}

function holds({ file, text }: ReturnType<typeof referenceIn>): boolean {
  const inOneLine = (value: string) => value.replaceAll(/\s+/g, ' ');
  return (
    files.has(file) && text !== '' && inOneLine(readProjectFile(file)).includes(inOneLine(text))
  );
}

/** The number in a cell such as `16 MiB`. */
function amountOf(cell: string): number {
  const [, number = '', unit = ''] = /^([\d,]+)(?: (\w+))?$/.exec(cell) ?? [];
  return Number(number.replaceAll(',', '')) * (units[unit] ?? 1);
}

/** The last number in a piece of code, or the product of numbers. */
function valueOf(code: string): number {
  const [last = ''] = [...code.matchAll(/\b(?:mebibyte|[\d_]+)(?: \* (?:mebibyte|[\d_]+))*\b/g)]
    .map(([found]) => found)
    .slice(-1);
  const factors = last
    .replaceAll('mebibyte', String(units['MiB']))
    .replaceAll('_', '')
    .split(' * ');
  return factors.map(Number).reduce((product, factor) => product * factor, 1);
}

describe('docs/limits.md', () => {
  it('has rows of six cells', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row) => row.length !== 6)).toEqual([]);
  });

  it.each(rows.filter(([, , , , code]) => code !== nowhere))(
    '%s: %s, %s, is the value in the code',
    (...cells) => {
      const [, , value = '', , code = ''] = cells;
      const reference = referenceIn(code);
      expect([reference, holds(reference)]).toEqual([reference, true]);
      expect(valueOf(reference.text)).toBe(amountOf(value));
    },
  );

  it.each(rows.filter(([, , , , , test]) => test !== nowhere))(
    '%s: %s, %s, is tried by a test',
    (...cells) => {
      const [, , , , , test = ''] = cells;
      const reference = referenceIn(test);
      expect(reference.file).toMatch(/(?:spec|\.contract)\.ts$/);
      expect([reference, holds(reference)]).toEqual([reference, true]);
    },
  );

  it('names code or a test in every row', () => {
    expect(rows.filter(([, , , , code, test]) => code === nowhere && test === nowhere)).toEqual([]);
  });

  it.each(rows.filter(([, , , beyond = '']) => /^\d/.test(beyond)))(
    '%s: %s, %s, has %s beyond it',
    (...cells) => {
      const [, , , beyond = ''] = cells;
      const [, status, code] = /^(\d{3}) `([a-z-]+)`$/.exec(beyond) ?? [];
      const known = problemCodes.find((each) => each === code);
      expect(known && problemTable[known].status).toBe(Number(status));
    },
  );
});
