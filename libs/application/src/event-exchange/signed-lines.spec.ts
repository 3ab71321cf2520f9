import { createPublicKey, createSecretKey, verify } from 'node:crypto';

import { EventsJsonlWriter, signedText } from '#interop';

import { ExportSignatures } from './export-signatures.js';
import { SignedLines } from './signed-lines.js';

const mebibyte = 1_048_576;
const signatures = new ExportSignatures(createSecretKey(Buffer.alloc(32, 7)));

/** Exports `count` events of this size; returns the signed versions, and the bytes between signatures. */
function signedVersions(count: number, bytes: number) {
  const lines = new SignedLines(new EventsJsonlWriter(), signatures);
  const place = { workspace: 'default', contextId: 'c', eventId: 'e', type: 't', metadata: '{}' };
  const text = Array.from({ length: count }, (_, at) =>
    lines.event(
      { ...place, version: at + 1, data: JSON.stringify('x'.repeat(bytes)) },
      `h${at + 1}`,
    ),
  );
  const written = [...text, lines.end()].join('').trimEnd().split('\n');
  const found = written.map((line) => JSON.parse(line).signature?.version);
  return { versions: found.filter(Boolean), spans: spansOf(written) };
}

function spansOf(lines: readonly string[]): number[] {
  const spans = [0];
  for (const line of lines)
    if (line.startsWith('{"signature"')) spans.push(0);
    else spans.push((spans.pop() ?? 0) + Buffer.byteLength(line) + 1);
  return spans;
}

describe('the signatures of an export', () => {
  it('sign the last event, and no event twice', () => {
    expect(signedVersions(3, 10).versions).toEqual([3]);
    expect(signedVersions(5_000, 10).versions).toEqual([5_000]);
    expect(signedVersions(5_001, 10).versions).toEqual([5_000, 5_001]);
  });

  it('are at most 8 MiB apart', () => {
    const { versions, spans } = signedVersions(20, mebibyte - 200);
    expect(versions.at(-1)).toBe(20);
    expect(Math.max(...spans)).toBeLessThanOrEqual(8 * mebibyte);
    expect(spans.at(-1)).toBe(0);
  });

  it('are valid for the public key that they name, and cover the version and the hash', () => {
    const place = { workspace: 'w', contextId: 'c', version: 7, hash: 'ab'.repeat(32) };
    const { key, value } = signatures.sign(place);
    const isValid = (signed: typeof place) =>
      verify(
        null,
        Buffer.from(signedText(signed)),
        createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' }),
        Buffer.from(value, 'base64url'),
      );
    expect(key).toBe(signatures.key);
    expect(isValid(place)).toBe(true);
    for (const changed of [{ workspace: 'v' }, { contextId: 'd' }, { version: 8 }, { hash: '' }])
      expect(isValid({ ...place, ...changed })).toBe(false);
  });
});
