import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { jsonObject } from '#testing';

import { encodeDocument, measureDocument } from './document-text.js';

describe('the text of a document', () => {
  it('has the bytes, the length and the hash of its JSON, for any content', async () => {
    await fc.assert(
      fc.asyncProperty(jsonObject, async (document) => {
        const text = JSON.stringify(document);
        const { pieces, bytes, hash } = await encodeDocument(document);
        expect(Buffer.concat(pieces).toString()).toBe(Buffer.from(text).toString());
        expect(bytes).toBe(Buffer.byteLength(text));
        expect(hash).toBe(createHash('sha256').update(text).digest('hex'));
        expect(await measureDocument(document)).toEqual({ bytes, characters: text.length });
      }),
      { numRuns: 1000 },
    );
  });

  it.each([1_000, 10_000])(
    'is encoded in pieces of a bounded size: %i outputs',
    async (outputs) => {
      const stepOutputs = Object.fromEntries(
        Array.from({ length: outputs }, (_, n) => [`s-${n}`, 'ä'.repeat(500)]),
      );
      const { pieces, bytes } = await encodeDocument({ contextId: 'c', stepOutputs });
      expect(bytes).toBeGreaterThan(outputs * 1_000);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(150_000);
      expect(pieces.length).toBeLessThan(bytes / 65_536);
    },
  );

  it('is not completed after an abort', async () => {
    const aborted = new AbortController();
    const stepOutputs = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, n) => [`s-${n}`, 'x'.repeat(1_000)]),
    );
    const encoding = encodeDocument({ stepOutputs }, aborted.signal);
    aborted.abort(new Error('aborted'));
    await expect(encoding).rejects.toThrow('aborted');
  });
});
