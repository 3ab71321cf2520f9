import { Namespace } from './namespace.js';

describe('a namespace', () => {
  const names = new Namespace('throughline');

  it('gives streams back as they were named', () => {
    const stream = 'context-default:a-b';
    expect(names.toServer(stream)).toBe('throughline-context-default:a-b');
    expect(names.fromServer(names.toServer(stream))).toBe(stream);
  });

  it.each([
    '$stats-127.0.0.1:2113',
    'context-default:a',
    'throughline2-context',
    '$$throughline-a',
  ])('does not hold the stream %p of the server or of others', (stream) =>
    expect(names.fromServer(stream)).toBeUndefined(),
  );

  it('holds its identity outside of its streams', () => {
    expect(names.fromServer(names.identityStream)).toBeUndefined();
  });

  it.each(['', 'a-b', 'a b', '$a', 'x'.repeat(65)])('cannot be %p', (name) => {
    expect(() => new Namespace(name)).toThrow(RangeError);
  });
});
