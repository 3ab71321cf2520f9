import { ServerBusyError, TooManyWaitingError } from '../errors.js';
import { WaitLimits, maxWaiting, maxWaitingOfKey } from './wait-limits.js';
import { WaitingRequest } from './waiting-request.js';

function requestOf(keyId: string | null, holder = `key ${keyId}`): WaitingRequest {
  return new WaitingRequest({ keyId, holder, deadline: 0, signal: undefined });
}

function addMany(limits: WaitLimits, count: number, keyId: string | null): WaitingRequest[] {
  const requests = Array.from({ length: count }, () => requestOf(keyId));
  for (const request of requests) limits.add(request);
  return requests;
}

describe('waiting requests', () => {
  it.each(['k', null])('are limited per key (%s), independently of other keys', (keyId) => {
    const limits = new WaitLimits();
    const [first] = addMany(limits, maxWaitingOfKey, keyId);
    expect(() => limits.add(requestOf(keyId))).toThrow(TooManyWaitingError);
    limits.add(requestOf('other'));
    if (first) limits.delete(first);
    limits.add(requestOf(keyId));
    expect(() => limits.add(requestOf(keyId))).toThrow(TooManyWaitingError);
    expect(limits.count).toBe(maxWaitingOfKey + 1);
  });

  it('are limited in all', () => {
    const limits = new WaitLimits();
    for (let key = 0; key < maxWaiting / maxWaitingOfKey; key++)
      addMany(limits, maxWaitingOfKey, `k${key}`);
    expect(() => limits.add(requestOf('one more'))).toThrow(ServerBusyError);
    for (const request of limits.ofKey('k3')) limits.delete(request);
    limits.add(requestOf('one more'));
  });

  it('are found by their key until they are deleted', () => {
    const limits = new WaitLimits();
    const requests = addMany(limits, 3, 'k');
    addMany(limits, 2, null);
    expect(limits.ofKey('k')).toEqual(requests);
    expect(limits.keyIds()).toEqual(['k']);
    for (const request of requests) limits.delete(request);
    expect([limits.keyIds(), limits.count]).toEqual([[], 2]);
  });
});
