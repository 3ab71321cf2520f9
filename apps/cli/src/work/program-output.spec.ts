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
/** The JSON text that is sent. */
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
  it('is any JSON that it wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(JSON.parse(sent({ stdout: `\n${json}\n` }))).toEqual(JSON.parse(json));
      }),
    );
  });

  it('is a text if it did not write JSON', () => {
    expect(sent({ stdout: ' two lines,\nof text\n' })).toBe('{"text":"two lines,\\nof text"}');
    expect(sent({ stdout: '' })).toBe('{"text":""}');
  });

  it.each(['{"n":1.10000000000000000001}', '[1e400,-0,9007199254740993]', '12345678901234567890'])(
    'keeps the digits of numbers: %s',
    (stdout) => expect(sent({ stdout })).toBe(stdout),
  );
});

describe('a program that fails', () => {
  it('reports standard error as the reason, and its exit code', () => {
    expect(failure({ exitCode: 3, stderr: 'two tests fail', stdout: 'not JSON' })).toEqual({
      reason: 'two tests fail',
      code: 'exit-3',
      retryable: true,
    });
    expect(failure({ exitCode: 137 })).toMatchObject({
      reason: 'the program ended with exit code 137',
    });
  });

  it('reports the JSON that it wrote as output', () => {
    expect(failure({ exitCode: 1, stdout: '{"passed": ["a"]}' })).toMatchObject({
      output: { passed: ['a'] },
    });
  });

  it.each([
    [64, false],
    [78, false],
    [1, true],
    [75, true],
  ])('reports for exit code %d retryable: %s', (exitCode, retryable) => {
    expect(failure({ exitCode })).toMatchObject({ retryable });
  });

  it('reports too much output with any exit code', () => {
    expect(failure({ overflowed: true })).toMatchObject({ code: 'output-too-large' });
  });
});
