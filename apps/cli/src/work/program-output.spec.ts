import { WorkFailure } from '@throughline/sdk';
import fc from 'fast-check';

import { outputOf } from './program-output.js';
import { type ProgramEnd } from './run-program.js';

const end = (given: Partial<ProgramEnd>): ProgramEnd => ({
  exitCode: 0,
  stdout: '',
  overflowed: false,
  stderr: '',
  ...given,
});
/** As it is sent. */
const sent = (given: Partial<ProgramEnd>) => JSON.stringify(outputOf(end(given)));
const failure = (given: Partial<ProgramEnd>) => {
  try {
    return sent(given);
  } catch (error) {
    if (error instanceof WorkFailure) return error.report();
    throw error;
  }
};

describe('the output of a program', () => {
  it('is the JSON that it wrote, whatever that is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(JSON.parse(sent({ stdout: `\n${json}\n` }))).toEqual(JSON.parse(json));
      }),
    );
  });

  it('is what it wrote as a text if that is not JSON', () => {
    expect(sent({ stdout: ' two lines,\nof text\n' })).toBe('{"text":"two lines,\\nof text"}');
    expect(sent({ stdout: '' })).toBe('{"text":""}');
  });

  it.each(['{"n":1.10000000000000000001}', '[1e400,-0,9007199254740993]', '12345678901234567890'])(
    'keeps the digits of numbers: %s',
    (stdout) => expect(sent({ stdout })).toBe(stdout),
  );
});

describe('a program that fails', () => {
  it('has as its reason what it wrote to standard error, and its exit code', () => {
    expect(failure({ exitCode: 3, stderr: 'two tests fail', stdout: 'not JSON' })).toEqual({
      reason: 'two tests fail',
      code: 'exit-3',
      retryable: true,
    });
    expect(failure({ exitCode: 137 })).toMatchObject({
      reason: 'the program ended with exit code 137',
    });
  });

  it('has the JSON that it wrote as output', () => {
    expect(failure({ exitCode: 1, stdout: '{"passed": ["a"]}' })).toMatchObject({
      output: { passed: ['a'] },
    });
  });

  it.each([
    [64, false],
    [78, false],
    [1, true],
    [75, true],
  ])('with exit code %d says retryable: %s', (exitCode, retryable) => {
    expect(failure({ exitCode })).toMatchObject({ retryable });
  });

  it('is one that wrote too much, however it ended', () => {
    expect(failure({ overflowed: true })).toMatchObject({ code: 'output-too-large' });
  });
});
