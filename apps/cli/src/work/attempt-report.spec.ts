import fc from 'fast-check';

import { bodyOf, reportOf, reportOfEnding } from './attempt-report.js';
import { type ProgramEnd } from './run-program.js';

const ended = (given: Partial<ProgramEnd>) =>
  reportOf({ exitCode: 0, stdout: '', overflowed: false, stderr: '', ...given });
const sent = (given: Parameters<typeof ended>[0]) => JSON.parse(bodyOf(ended(given), 'token'));

describe('the report of a program', () => {
  it('has the JSON that it wrote as output, whatever that is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(sent({ stdout: `\n${json}\n` })).toEqual({
          ...{ attemptToken: 'token', output: JSON.parse(json) },
        });
      }),
    );
  });

  it('has what it wrote as a text if that is not JSON', () => {
    expect(sent({ stdout: ' two lines,\nof text\n' }).output).toEqual({
      text: 'two lines,\nof text',
    });
    expect(sent({ stdout: '' }).output).toEqual({ text: '' });
  });

  it('keeps the digits of numbers', () => {
    expect(bodyOf(ended({ stdout: '{"n":1.10000000000000000001}' }), 't')).toBe(
      '{"attemptToken":"t","output":{"n":1.10000000000000000001}}',
    );
  });

  it('is a failure with what it wrote to standard error, and its exit code', () => {
    expect(sent({ exitCode: 3, stderr: 'two tests fail', stdout: 'not JSON' })).toEqual({
      ...{ attemptToken: 'token', reason: 'two tests fail', code: 'exit-3', retryable: true },
    });
    expect(sent({ exitCode: 137 }).reason).toBe('the program ended with exit code 137');
  });

  it('has the JSON of a program that failed', () => {
    expect(sent({ exitCode: 1, stdout: '{"passed": 1}' }).output).toEqual({ passed: 1 });
  });

  it.each([
    [64, false],
    [78, false],
    [1, true],
    [75, true],
  ])('of exit code %d says retryable: %s', (exitCode, retryable) => {
    expect(sent({ exitCode }).retryable).toBe(retryable);
  });

  it('is a failure if it wrote too much, however it ended', () => {
    expect(ended({ overflowed: true })).toMatchObject({ type: 'fail', code: 'output-too-large' });
  });

  it('says why a program was ended', () => {
    expect(reportOfEnding('timeout')).toMatchObject({ code: 'timeout', retryable: true });
    expect(reportOfEnding('stopped')).toMatchObject({ code: 'stopped', retryable: true });
    expect(reportOfEnding('cancelled')).toMatchObject({ code: 'cancelled', retryable: false });
  });
});
