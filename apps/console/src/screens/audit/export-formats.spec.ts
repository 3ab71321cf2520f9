import { choiceIn, endingOf, fileNameOf, sizeWords } from './export-formats.js';

const choice = (address: string, seesEverything = true) =>
  choiceIn(new URLSearchParams(address), seesEverything);

describe('the chosen export', () => {
  it('contains the events by default, or a report if the key does not see everything', () => {
    expect(choice('').format).toBe('events-jsonl');
    expect(choice('', false).format).toBe('report-markdown');
  });

  it('has an audience, a version and a document only if it is a document', () => {
    const more = 'audience=reviewer&asOf=3&document=a.md';
    const documents = { audience: 'reviewer', asOf: '3', document: 'a.md' };
    expect(choice(`format=adr-markdown&${more}`)).toEqual({ format: 'adr-markdown', ...documents });
    expect(choice(more)).toEqual({ format: 'events-jsonl', audience: '', asOf: '', document: '' });
  });
});

describe('the name of the file', () => {
  it.each([
    [{ 'content-disposition': 'attachment; filename="a.events.jsonl"' }, '', 'a.events.jsonl'],
    [{ 'content-type': 'text/markdown' }, 'format=report-markdown', 'a.report-markdown.md'],
    [{ 'content-type': 'application/x-ndjson' }, 'format=adr-markdown', 'a.adr-markdown.jsonl'],
    [
      { 'content-disposition': 'attachment; filename="../x"' },
      'format=sdd-context',
      'a.sdd-context.json',
    ],
  ])('for %j and "%s" is %s', (headers, address, expected) => {
    expect(fileNameOf(new Headers(headers), 'a', choice(address))).toBe(expected);
  });
});

describe('the end of an export of events', () => {
  it.each<[string, unknown]>([
    ['{"type":"x"}\n{"end":{"contexts":1}}\n', 'complete'],
    ['{"type":"x"}\n', 'truncated'],
    ['{"type":"x"}\n{"end":{"con', 'truncated'],
    ['', 'truncated'],
    ['{"failed":{"version":2,"reason":"gap"}}\n', { version: 2, reason: 'gap' }],
  ])('of %j is %j', (tail, expected) => {
    expect(endingOf(tail)).toEqual(expected);
  });
});

describe('sizeWords', () => {
  it.each([
    [12, '12 bytes'],
    [2048, '2.0 KiB'],
    [3_565_158, '3.4 MiB'],
  ])('of %i is %s', (bytes, words) => {
    expect(sizeWords(bytes)).toBe(words);
  });
});
