import { waitFor } from '#testing';

import { AnswerQueue } from './answer-queue.js';
import { WaitingRequest } from './waiting-request.js';

/** Requests that note in which order they are answered. */
function requestsNoting(answered: string[], name: string, count: number): WaitingRequest[] {
  return Array.from({ length: count }, () => {
    const request = new WaitingRequest({
      keyId: null,
      holder: 'h',
      deadline: 0,
      signal: undefined,
    });
    void request.outcome().then(() => answered.push(name));
    return request;
  });
}

const outcome = { found: 1 };

describe('answers to many requests', () => {
  it('let others in between, so that one request waits for a few of a thousand', async () => {
    const queue = new AnswerQueue();
    const answered: string[] = [];
    queue.add(requestsNoting(answered, 'many', 1_000), outcome);
    queue.add(requestsNoting(answered, 'one', 1), outcome);
    await waitFor('all answers', () => answered.length === 1_001);
    expect(answered.indexOf('one')).toBeLessThan(50);
  });

  it('come a few in a turn of the event loop', async () => {
    const queue = new AnswerQueue();
    const answered: string[] = [];
    queue.add(requestsNoting(answered, 'many', 1_000), outcome);
    const inTurns: number[] = [];
    while (answered.length < 1_000) {
      const before = answered.length;
      await new Promise((resolve) => setImmediate(resolve));
      inTurns.push(answered.length - before);
    }
    expect(Math.max(...inTurns)).toBeLessThanOrEqual(64);
  });

  it('come at once to the first', () => {
    const queue = new AnswerQueue();
    const [request] = requestsNoting([], 'one', 1);
    if (request) queue.add([request], outcome);
    expect(request?.hasOutcome).toBe(true);
  });
});
