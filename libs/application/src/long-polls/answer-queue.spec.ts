import { waitFor } from '#testing';

import { AnswerQueue } from './answer-queue.js';
import { WaitingRequest } from './waiting-request.js';

/** Requests that record the order in which they are answered. */
function recordingRequests(answered: string[], name: string, count: number): WaitingRequest[] {
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

describe('the answer queue', () => {
  it('answers a single request after a few of a thousand earlier ones', async () => {
    const queue = new AnswerQueue();
    const answered: string[] = [];
    queue.add(recordingRequests(answered, 'many', 1_000), outcome);
    queue.add(recordingRequests(answered, 'one', 1), outcome);
    await waitFor('all answers', () => answered.length === 1_001);
    expect(answered.indexOf('one')).toBeLessThan(50);
  });

  it('answers only a few requests per turn of the event loop', async () => {
    const queue = new AnswerQueue();
    const answered: string[] = [];
    queue.add(recordingRequests(answered, 'many', 1_000), outcome);
    const inTurns: number[] = [];
    while (answered.length < 1_000) {
      const before = answered.length;
      await new Promise((resolve) => setImmediate(resolve));
      inTurns.push(answered.length - before);
    }
    expect(Math.max(...inTurns)).toBeLessThanOrEqual(64);
  });

  it('answers the first request at once', () => {
    const queue = new AnswerQueue();
    const [request] = recordingRequests([], 'one', 1);
    if (request) queue.add([request], outcome);
    expect(request?.hasOutcome).toBe(true);
  });
});
