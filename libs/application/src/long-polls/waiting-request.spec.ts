import { WaitingRequest } from './waiting-request.js';

const found = { found: 'here' };

function newRequest(signal?: AbortSignal): WaitingRequest {
  return new WaitingRequest({ keyId: null, holder: 'h', deadline: 0, signal });
}

describe('a request that waits', () => {
  it('has the outcome that came first, before or after somebody waits for it', async () => {
    const request = newRequest();
    const outcome = request.outcome();
    request.settle(found);
    request.settle({ error: new Error('later') });
    expect(await outcome).toBe('here');
    expect(await request.outcome()).toBe('here');
  });

  it('keeps what was decided before it is woken', async () => {
    const request = newRequest();
    const outcome = request.outcome();
    request.decide({ error: new Error('refused') });
    request.settle(found);
    await expect(outcome).rejects.toThrow('refused');
  });

  it('ends with the signal of its client, also if that has gone before', async () => {
    const gone = new AbortController();
    const request = newRequest(gone.signal);
    gone.abort(new Error('gone'));
    await expect(request.outcome()).rejects.toThrow('gone');
    await expect(newRequest(gone.signal).outcome()).rejects.toThrow('gone');
  });

  it('listens to its client no longer once it is closed', async () => {
    const gone = new AbortController();
    const request = newRequest(gone.signal);
    request.close();
    gone.abort();
    expect(request.hasOutcome).toBe(false);
  });
});
