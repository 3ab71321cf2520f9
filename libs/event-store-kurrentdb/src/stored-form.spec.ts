import { randomUUID } from 'node:crypto';

import { type JSONRecordedEvent, type RecordedEvent } from '@eventstore/db-client';
import fc from 'fast-check';

import { Namespace } from './namespace.js';
import { UnusableEventError, fromStoredForm, toStoredForm } from './stored-form.js';

const names = new Namespace('here');

/** Imitates the client between storing and reading: it writes JSON, parses it, and tries to parse metadata. */
function throughTheClient(data: string, metadata: string): RecordedEvent {
  const stored = toStoredForm({ eventId: randomUUID(), type: 'Happened', data, metadata });
  const isJson = stored.contentType === 'application/json';
  const wired = isJson ? JSON.parse(JSON.stringify(stored.data)) : stored.data;
  const event = {
    id: stored.id,
    type: stored.type,
    streamId: 'here-s',
    revision: 4n,
    created: new Date(0),
    isJson,
    data: wired,
    metadata: metadataThroughTheClient(stored.metadata),
    position: { commit: 12n, prepare: 11n },
  };
  // The type of the client ties isJson to data, which a test cannot express.
  return event as JSONRecordedEvent;
}

function metadataThroughTheClient(metadata: unknown): unknown {
  const bytes =
    metadata instanceof Uint8Array ? metadata : new TextEncoder().encode(JSON.stringify(metadata));
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return bytes;
  }
}

describe('the stored form of an event', () => {
  const texts = fc.oneof(
    fc.json(),
    fc.json().map((text) => JSON.stringify(JSON.parse(text), null, 1)),
    fc.constantFrom('null', '"x"', '1.0', '{"a":1,"a":2}', ' {}', '{"n":1e400}', '[1,2]', '{}'),
    fc.constantFrom(
      '{"__proto__":{"a":1}}',
      '{"constructor":null}',
      '"\\ud800"',
      '{"2":0,"1":0}',
      '\ufeff1',
    ),
  );

  it('preserves any JSON text byte for byte', () => {
    fc.assert(
      fc.property(texts, texts, (data, metadata) => {
        expect(fromStoredForm(throughTheClient(data, metadata), names)).toMatchObject({
          data,
          metadata,
          stream: 's',
          version: 5,
          position: '12/11',
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it('is JSON for texts in the format of JSON.stringify, which all events of Throughline have', () => {
    const event = { eventId: randomUUID(), type: 'T', data: '{"a":[1,"é"]}', metadata: '{"b":2}' };
    expect(toStoredForm(event)).toMatchObject({
      contentType: 'application/json',
      data: { a: [1, 'é'] },
      metadata: { b: 2 },
    });
  });

  it('is rejected if its bytes are not text', () => {
    const event = throughTheClient('1.0', '{}');
    event.data = new Uint8Array([0xff]);
    expect(() => fromStoredForm(event, names)).toThrow(UnusableEventError);
  });

  it('is ignored in the stream of another store', () => {
    const event = { ...throughTheClient('{}', '{}'), streamId: 'elsewhere-s' };
    expect(fromStoredForm(event, names)).toBeUndefined();
  });

  it('is rejected without a position, with an error that names the required version', () => {
    const event = throughTheClient('{}', '{}');
    delete event.position;
    expect(() => fromStoredForm(event, names)).toThrow(/24\.2/);
    // The position as the client converts a missing one.
    const none = { commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n };
    expect(() => fromStoredForm({ ...event, position: none }, names)).toThrow(/24\.2/);
  });
});
