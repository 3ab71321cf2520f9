import { WaitingRequest } from './waiting-request.js';

const found = { found: 'here' };

function newRequest(signal?: AbortSignal): WaitingRequest {
  return new WaitingRequest({ keyId: null, holder: 'h', deadline: 0, signal });
}

describe('a waiting request', () => {
  it('has the outcome with which it was settled first, whenever that is awaited', async () => {
    const request = newRequest();
    const outcome = request.outcome();
    request.settle(found);
    request.settle({ error: new Error('later') });
    expect(await outcome).toBe('here');
    expect(await request.outcome()).toBe('here');
  });

  it('has the outcome that was decided before it is settled', async () => {
    const request = newRequest();
    const outcome = request.outcome();
    request.decide({ error: new Error('refused') });
    request.settle(found);
    await expect(outcome).rejects.toThrow('refused');
  });

  it('ends with the signal of its client, even if that was aborted before', async () => {
    const client = new AbortController();
    const request = newRequest(client.signal);
    client.abort(new Error('disconnected'));
    await expect(request.outcome()).rejects.toThrow('disconnected');
    await expect(newRequest(client.signal).outcome()).rejects.toThrow('disconnected');
  });

  it('ignores the signal of its client after it is closed', async () => {
    const client = new AbortController();
    const request = newRequest(client.signal);
    request.close();
    client.abort();
    expect(request.hasOutcome).toBe(false);
  });
});
