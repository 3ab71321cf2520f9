import { formatFault, parseJsonLines, readJsonLines } from './json-lines.js';

describe('JSON lines', () => {
  it('are parsed except broken ones, which are reported by number', () => {
    const { lines, faults } = parseJsonLines('{"a":1}\n\n{"a":\n[2]\n');
    expect(lines).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 4, value: [2] },
    ]);
    expect(faults.map((fault) => formatFault('log.jsonl', fault))).toEqual([
      'log.jsonl:3: is not JSON',
    ]);
  });

  it('end only at line feeds: other separators belong to the text', () => {
    const { lines } = parseJsonLines('"a\u2028b"\r\n"c"');
    expect(lines.map(({ value }) => value)).toEqual(['a\u2028b', 'c']);
  });

  it('have one error sentence if the file does not exist', async () => {
    await expect(readJsonLines('/nowhere/events.jsonl')).rejects.toThrow(
      'there is no input at /nowhere/events.jsonl: name the file, or set THROUGHLINE_DATA',
    );
  });
});
