import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { contextAfter, did } from '#testing';
import { sourceDocuments } from '#shared-context';

import { sourceParts } from './source-parts.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const created = did('ContextCreated', {});

describe('the parts of a document', () => {
  it('form the same pieces again, for any texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .string({ unit: fc.constantFrom('\ud83d\ude00', '\u0000', 'x'), minLength: 3 })
        .map((s) => s.repeat(30_000)),
    );
    const pieces = fc.array(
      fc.record({ text, items: fc.array(fc.constantFrom('task:1', 'record:a')) }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(pieces, (read) => {
        const parts = sourceParts('f', { name: 'n', pieces: read, removed: ['task:9'] }, sha256);
        for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(900_000);
        const events = parts.map((part) => did('SourceImported', part));
        const [stored] = sourceDocuments([...contextAfter(created, ...events).values()]);
        expect(stored).toMatchObject({ pieces: read, removed: ['task:9'] });
      }),
      { numRuns: 30 },
    );
  });

  it('are refused if there are too many', () => {
    const pieces = [{ text: 'x'.repeat(70_000_000), items: [] }];
    expect(() => sourceParts('f', { name: 'n', pieces, removed: [] }, () => '')).toThrow(
      'n:1: is too long to be stored: divide it into several documents',
    );
  });
});
