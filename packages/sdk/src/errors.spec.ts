import { ConnectionError, errorOfAnswer, isThroughlineError, ThroughlineError } from './errors.js';

const answer = (code: string, status: number) =>
  errorOfAnswer({
    status,
    text: JSON.stringify({ type: `/problems/${code}`, title: 'A title', status }),
  });

describe('errors', () => {
  it.each([
    ['version-conflict', 412, 'VersionConflictError'],
    ['idempotency-key-reused', 422, 'IdempotencyKeyReusedError'],
    ['outcome-unknown', 503, 'OutcomeUnknownError'],
    ['stale-attempt', 409, 'StaleAttemptError'],
    ['decision-topic-taken', 409, 'DecisionTopicTakenError'],
    ['validation-failed', 422, 'ValidationError'],
    ['constructor', 400, 'ThroughlineError'],
    ['circuit-open', 409, 'ThroughlineError'],
  ])('of %s (%d) have a class, %s', (code, status, name) => {
    const error = answer(code, status);
    expect(error).toBeInstanceOf(ThroughlineError);
    expect(error).toMatchObject({ name, code, status, message: `A title (${status} ${code})` });
  });

  it('are recognized by code, also from another copy of the package', () => {
    class ErrorOfAnotherCopy extends Error {
      readonly isThroughlineError = true;
      readonly code = 'no-answer';
    }
    for (const error of [new ErrorOfAnotherCopy(), new ConnectionError('lost', {})]) {
      expect(isThroughlineError(error)).toBe(true);
      expect(isThroughlineError(error, 'no-answer')).toBe(true);
      expect(isThroughlineError(error, 'forbidden')).toBe(false);
    }
  });

  it.each([new Error('other'), { isThroughlineError: true, code: 'forbidden' }, undefined])(
    'are distinguished from other values: %p',
    (value) => expect(isThroughlineError(value)).toBe(false),
  );
});
