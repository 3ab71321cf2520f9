import { describeEventStore, isExposed, parseEventStoreAddress } from './event-store-address.js';

describe('the address of an event store', () => {
  it.each([
    ['esdb://node', 'KurrentDB at node'],
    ['esdb://user:pass@node:2113?tlsCAFile=/a/b', 'KurrentDB at node:2113'],
    ['esdb://user:pass@a:1,b:2,c:3/?tls=true', 'KurrentDB at a:1, b:2, c:3'],
    ['esdb+discover://user:pass@cluster.internal', 'KurrentDB at cluster.internal'],
    // Malformed URLs, which must be described without secrets too.
    ['esdb://user:pa/ss@node', 'KurrentDB at node'],
    ['esdb://user:1234/5@node', 'KurrentDB at node'],
    ['esdb://user:p@ss@node', 'KurrentDB at node'],
    ['esdb://user:secret?x', 'KurrentDB'],
  ])('of %s is described as %s', (url, expected) => {
    expect(describeEventStore(parseEventStoreAddress(url))).toBe(expected);
  });

  it.each([
    ['esdb://node?tls=false', true],
    ['esdb://user:pass@127.0.0.1:2113,node?a=b&tls=false', true],
    ['esdb://node:2113', false],
    ['esdb://localhost:2113?tls=false', false],
    ['esdb://127.0.0.1:1,127.0.0.2:2?tls=false', false],
  ])('of %s is exposed: %s', (url, exposed) => {
    expect(isExposed(parseEventStoreAddress(url))).toBe(exposed);
  });
});
