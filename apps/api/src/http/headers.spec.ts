import { matchesNone, readBearer, readWriteHeaders } from './headers.js';

describe('the headers of a write', () => {
  it('include the version of a strong or weak ETag', () => {
    expect(readWriteHeaders({ 'if-match': '"12"' }).ifMatch).toBe(12);
    expect(readWriteHeaders({ 'if-match': 'W/"0"' }).ifMatch).toBe(0);
    expect(readWriteHeaders({ 'if-match': 'W/"7-0123456789abcdef"' }).ifMatch).toBe(7);
    expect(readWriteHeaders({ 'if-match': '"7-0123456789abcdef"' }).ifMatch).toBe(7);
    expect(readWriteHeaders({}).ifMatch).toBeUndefined();
  });

  it.each(['12', '"012"', '"1" ', '*', '"1","2"', '"-1"', '"1e3"', '"9999999999999999"', 'w/"1"'])(
    'are refused with If-Match: %s, by a message that names the header',
    (tag) => expect(() => readWriteHeaders({ 'if-match': tag })).toThrow(/^If-Match /),
  );

  it.each(['', 'a b', 'ä', 'k'.repeat(256), 'a, a'])('are refused with Idempotency-Key %j', (key) =>
    expect(() => readWriteHeaders({ 'idempotency-key': key })).toThrow(/^Idempotency-Key /),
  );

  it('include the origin of the write', () => {
    const { idempotencyKey, origin } = readWriteHeaders({
      'idempotency-key': '~'.repeat(255),
      'correlation-id': 'c',
      'causation-id': 'd',
      'based-on': 'r.s',
      trust: 'tool',
    });
    expect(idempotencyKey).toHaveLength(255);
    expect(origin).toEqual({
      correlationId: 'c',
      causationId: 'd',
      basedOn: 'r.s',
      trust: 'tool',
    });
  });
});

describe('other headers', () => {
  it('include a bearer secret, with the scheme in any case', () => {
    expect(readBearer({ authorization: 'bearer  s3cret' })).toBe('s3cret');
    for (const authorization of ['s3cret', 'Basic abc', 'Bearer', 'Bearer a b', ''])
      expect(readBearer({ authorization })).toBeUndefined();
  });

  it('include If-None-Match, compared weakly; a malformed value matches nothing', () => {
    for (const tags of ['"3"', 'W/"3"', '"1", "3"', '*'])
      expect(matchesNone(tags, '"3"')).toBe(true);
    for (const tags of [undefined, '', '3', '"33"']) expect(matchesNone(tags, '"3"')).toBe(false);
  });
});
