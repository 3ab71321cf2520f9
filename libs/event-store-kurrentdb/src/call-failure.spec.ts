import { UnavailableError } from '@eventstore/db-client';
import { Metadata, status } from '@grpc/grpc-js';

import { NoAnswerError, failureKindOf, isAnswer } from './call-failure.js';

function unavailable(details: string): UnavailableError {
  const message = `${status.UNAVAILABLE} UNAVAILABLE: ${details}`;
  const failure = { code: status.UNAVAILABLE, details, metadata: new Metadata() };
  return new UnavailableError(Object.assign(new Error(message), failure));
}

describe('failureKindOf', () => {
  it.each([
    ['Server Is Not Ready', 'not-applied', true],
    ['Server Is Too Busy', 'not-applied', true],
    ['No connection established. Last error: connect ECONNREFUSED', 'not-applied', false],
    ['Name resolution failed for target dns:kurrentdb.invalid', 'not-applied', false],
    ['Connection dropped', 'unknown', false],
  ] as const)(
    'classifies unavailability as "%s" as %s; counts as an answer: %s',
    (details, kind, answers) => {
      const error = unavailable(details);
      expect([failureKindOf(error), isAnswer(error)]).toEqual([kind, answers]);
    },
  );

  it('returns unknown for a call without an answer', () => {
    const error = new NoAnswerError();
    expect([failureKindOf(error), isAnswer(error)]).toEqual(['unknown', false]);
  });
});
