import { inexactNumberIn } from './exact-json.js';

describe('numbers in a JSON text', () => {
  it.each([
    '0.1',
    '-0',
    '0e9',
    '1e23',
    '9007199254740992',
    '100000000000000000000',
    '1.10',
    '5e-324',
  ])('are accepted if a double represents them exactly: %s', (number) =>
    expect(inexactNumberIn(`{"n":[${number}]}`)).toBeUndefined(),
  );

  it.each(['9007199254740993', '-9007199254740993', '1e400', '1e-400', '0.1000000000000000055'])(
    'are reported if no double represents them exactly: %s',
    (number) => expect(inexactNumberIn(`{"a":1,"n":[${number}]}`)).toBe(number),
  );

  it('are not reported in strings and names', () => {
    const text = String.raw`{"9007199254740993":"9007199254740993 \" 9007199254740993"}`;
    expect(inexactNumberIn(text)).toBeUndefined();
  });
});
