import { Namespace } from './namespace.js';

describe('Namespace', () => {
  const names = new Namespace('throughline');

  it('converts stream names to server names and back', () => {
    const stream = 'context-default:a-b';
    expect(names.toServer(stream)).toBe('throughline-context-default:a-b');
    expect(names.fromServer(names.toServer(stream))).toBe(stream);
  });

  it.each([
    '$stats-127.0.0.1:2113',
    'context-default:a',
    'throughline2-context',
    '$$throughline-a',
  ])('excludes the foreign stream %p', (stream) =>
    expect(names.fromServer(stream)).toBeUndefined(),
  );

  it('excludes its identity stream', () => {
    expect(names.fromServer(names.identityStream)).toBeUndefined();
  });

  it.each(['', 'a-b', 'a b', '$a', 'x'.repeat(65)])('rejects %p', (name) => {
    expect(() => new Namespace(name)).toThrow(RangeError);
  });
});
