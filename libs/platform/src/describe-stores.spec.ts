import { describeStores } from './describe-stores.js';

describe('describeStores', () => {
  it.each([
    [undefined, undefined, 'Streams and read models: embedded PostgreSQL'],
    [
      'postgres://throughline:pa/s@s@db.internal:5432/throughline?sslmode=require',
      undefined,
      'Streams and read models: PostgreSQL at db.internal:5432',
    ],
    ['postgres:///throughline?host=/run', undefined, 'Streams and read models: PostgreSQL'],
    [
      'postgresql://db/throughline',
      'esdb://admin:changeit@a:2113,b:2113?tls=true',
      'Streams: KurrentDB at a:2113, b:2113; read models: PostgreSQL at db',
    ],
    [undefined, 'esdb://node', 'Streams: KurrentDB at node; read models: embedded PostgreSQL'],
  ])('names only the hosts of %s and %s', (databaseUrl, eventStoreUrl, expected) => {
    expect(describeStores({ databaseUrl, eventStoreUrl })).toBe(expected);
  });
});
