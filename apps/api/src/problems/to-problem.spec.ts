import { NotFoundException } from '@nestjs/common';

import {
  InvalidInputError,
  KeyEndedError,
  ServerBusyError,
  TooManyWaitingError,
} from '#application';
import { OutcomeUnknownError, StorageFullError, StoreUnavailableError } from '#event-sourcing';
import { NotExpressibleError, RuleViolationError } from '#shared-context';

import { UnfitJsonError } from '../json/json.errors.js';
import { problemTable } from './problem-table.js';
import { findProblem, toProblem } from './to-problem.js';

describe('toProblem', () => {
  it('lists violated rules with their pointers', () => {
    expect(toProblem(findProblem(new RuleViolationError('/topic', 'is taken')), '/v1/x')).toEqual({
      type: '/problems/validation-failed',
      title: 'The input is not valid',
      status: 422,
      detail: '/topic: is taken',
      instance: '/v1/x',
      errors: [{ pointer: '/topic', detail: 'is taken' }],
    });
    const unfit = new UnfitJsonError([{ pointer: '/a', detail: 'b' }]);
    expect(findProblem(unfit)).toMatchObject({ code: 'validation-failed', faults: unfit.faults });
  });

  it('lists 100 faults and the number of further ones', () => {
    const issues = Array.from({ length: 130_000 }, (_, at) => ({
      pointer: `/${at}`,
      detail: 'no',
    }));
    for (const error of [new NotExpressibleError(issues), new InvalidInputError(issues)]) {
      const problem = toProblem(findProblem(error), '/');
      expect(problem.errors).toEqual(issues.slice(0, 100));
      expect(problem.moreErrors).toBe(129_900);
      expect(problem.detail).toBe('/0: no (and 129999 more)');
    }
  });

  it.each([
    [new TooManyWaitingError('let one be answered'), 'rate-limited', 429, 1],
    [new ServerBusyError('ask later'), 'unavailable', 503, 1],
    [new KeyEndedError('was revoked'), 'unauthenticated', 401, undefined],
  ])(
    'returns the message of an error that limits waiting requests: %s',
    (error, code, status, retryAfter) => {
      const facts = findProblem(error);
      expect(toProblem(facts, '/v1/x')).toMatchObject({
        type: `/problems/${code}`,
        status,
        detail: error.message,
      });
      expect(problemTable[facts.code].retryAfter).toBe(retryAfter);
    },
  );

  it.each([
    [new OutcomeUnknownError('socket closed'), 'outcome-unknown', 503],
    [new StoreUnavailableError('connect ECONNREFUSED 10.0.0.1'), 'unavailable', 503],
    [new StorageFullError('no space on /dev/sda'), 'storage-full', 503],
    [new Error('select * from secrets'), 'internal-error', 500],
    ['thrown text', 'internal-error', 500],
    [undefined, 'internal-error', 500],
    [new NotFoundException('Cannot GET /x'), 'not-found', 404],
  ])('reveals no internals of %s', (error, code, status) => {
    const problem = toProblem(findProblem(error), '/v1/x');
    expect(problem).toEqual({
      type: `/problems/${code}`,
      title: expect.any(String),
      status,
      detail: problemTable[findProblem(error).code].detail,
      instance: '/v1/x',
    });
  });
});
