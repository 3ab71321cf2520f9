import fc from 'fast-check';

import { type SseMessage, SseParser } from './sse-parser.js';

/** Parses the text in pieces of these lengths, and then the rest. */
function parse(text: string, lengths: readonly number[] = []): SseMessage[] {
  const parser = new SseParser();
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const pieces = lengths.map((length) => bytes.slice(at, (at += length)));
  return [...pieces, bytes.slice(at)].flatMap((piece) => parser.push(piece));
}

const feed = [
  'retry: 1500\n\n',
  'id: 1\nevent: event\ndata: {"text":"größer – 😀"}\n\n',
  ': ping\n\n',
  'id: 2\nevent: event\ndata: first\ndata:second\n\n',
  'event: up-to-date\ndata: {}\n\n',
].join('');

const messages = [
  { event: 'event', data: '{"text":"größer – 😀"}', id: '1' },
  { event: 'event', data: 'first\nsecond', id: '2' },
  { event: 'up-to-date', data: '{}', id: '2' },
];

describe('the parser of server-sent events', () => {
  it('reads messages, and ignores comments and an incomplete message', () => {
    expect(parse(`${feed}data: half`)).toEqual(messages);
  });

  it('reads the same for all boundaries of pieces, also within characters and line breaks', () => {
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    const lengths = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });
    fc.assert(
      fc.property(ends, lengths, (end, cuts) => {
        expect(parse(feed.replaceAll('\n', end), cuts)).toEqual(messages);
      }),
    );
  });

  it('distinguishes an empty line from the LF of a CRLF in a later piece', () => {
    const parser = new SseParser();
    const push = (text: string) => parser.push(new TextEncoder().encode(text));
    expect(['data: a\r', '\n', '\n'].map(push)).toEqual([
      [],
      [],
      [{ event: 'message', data: 'a', id: undefined }],
    ]);
  });

  it('ignores a byte order mark, unknown fields and ids with a NUL', () => {
    expect(parse('\uFEFFid: a\0b\nother: x\ndata\n\n')).toEqual([
      { event: 'message', data: '', id: undefined },
    ]);
  });

  it('returns the retry time of the stream if that is a number', () => {
    const parser = new SseParser();
    parser.push(new TextEncoder().encode('retry: 1500\nretry: soon\n'));
    expect(parser.retryMs).toBe(1500);
  });

  it('refuses an endless message', () => {
    const parser = new SseParser(10);
    expect(() => parser.push(new TextEncoder().encode('data: 0123456789'))).toThrow(RangeError);
  });
});
