import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { type EnvelopeFacts, sealEvent } from '#event-sourcing';

import {
  EventsJsonlError,
  type ExportSignature,
  type ExportedEvent,
  signedText,
} from './events-jsonl.js';
import { memberTexts } from './member-texts.js';
import { EventsJsonlReader, type ReadEvent } from './read-events-jsonl.js';
import { EventsJsonlWriter } from './write-events-jsonl.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const facts: EnvelopeFacts = {
  schemaVersion: 1,
  recordedAt: '2026-01-02T03:04:05.678Z',
  principal: 'architect',
  origin: { agentId: 'a~/b', timestamp: null },
  correlationId: 'job',
  causationId: null,
  basedOn: null,
  trust: 'agent',
  visibility: 'record',
  encrypted: null,
  idempotency: null,
};

function contextOf(contextId: string, payloads: readonly string[]) {
  let previous: string | null = null;
  return payloads.map((data, at) => {
    const version = at + 1;
    const eventId = `0190a5c8-7f3b-7d4e-9a10-${String(version).padStart(12, '0')}`;
    const place = { workspace: 'default', context: contextId, version };
    const sealed = sealEvent({ eventId, type: 'Noted', data, facts }, place, previous, sha256);
    previous = sealed.hash;
    const { hash, ...event } = sealed;
    return { event: { ...event, workspace: 'default', contextId, version }, hash };
  });
}

function fileOf(...contexts: readonly (readonly { event: ExportedEvent; hash: string }[])[]) {
  const writer = new EventsJsonlWriter();
  const lines = contexts.flat().map(({ event, hash }) => writer.event(event, hash));
  return writer.header() + lines.join('') + writer.trailer();
}

function read(file: string): ReadEvent[] {
  const reader = new EventsJsonlReader(sha256);
  const lines = file.split('\n').flatMap((line) => reader.take(line) ?? []);
  const events = lines.filter((line) => 'event' in line);
  reader.finish();
  return events;
}

function refusal(file: string): [line: number, pointer: string, detail: string] {
  try {
    read(file);
  } catch (error) {
    if (error instanceof EventsJsonlError) return [error.line, error.pointer, error.detail];
    throw error;
  }
  throw new Error('the file was read');
}

const changed = (file: string, at: number, change: (line: string) => string) =>
  file
    .split('\n')
    .map((line, index) => (index === at - 1 ? change(line) : line))
    .join('\n');

const payloads = ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}'];

describe('a file of events', () => {
  it('returns every event byte for byte', () => {
    const json = fc.json({ noUnicodeString: false });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(json, fc.constantFrom(...oddPayloads)), { minLength: 1 }),
        (texts) => {
          const written = contextOf('c', texts);
          expect(read(fileOf(written)).map(({ event }) => event)).toEqual(
            written.map(({ event }) => event),
          );
        },
      ),
    );
  });

  it('has a line of JSON for each event, with the payload as an object', () => {
    const lines = fileOf(contextOf('c', payloads))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ format: 'throughline.events-jsonl', version: 2 });
    expect(lines[2]).toMatchObject({
      contextId: 'c',
      version: 2,
      data: { n: 2 },
      metadata: { principal: 'architect' },
    });
    expect(lines.at(-1)).toEqual({
      end: { contexts: 1, events: 4, lastHash: lines[4].metadata.hash },
    });
  });

  it('may begin in the middle of a context and contain several contexts', () => {
    const [a, b] = [contextOf('a', payloads), contextOf('b', payloads)];
    expect(
      read(fileOf(a.slice(2), b)).map(({ event }) => [event.contextId, event.version]),
    ).toEqual([
      ['a', 3],
      ['a', 4],
      ['b', 1],
      ['b', 2],
      ['b', 3],
      ['b', 4],
    ]);
  });

  it('is refused if it is cut off at any point', () => {
    const file = fileOf(contextOf('c', payloads));
    for (let length = 0; length < file.length - 1; length++)
      expect(() => read(file.slice(0, length))).toThrow(EventsJsonlError);
    expect(refusal(file.split('\n').slice(0, -2).join('\n'))).toEqual([
      6,
      '',
      'the closing line is missing: the file is cut off',
    ]);
  });

  it.each<[string, number, (line: string) => string, string]>([
    ['payload', 3, (line) => line.replace('"n":2', '"n":7'), '/metadata/hash'],
    ['payload rewritten', 3, (line) => line.replace('"n":2', '"n": 2'), '/metadata/hash'],
    ['principal', 3, (line) => line.replace('architect', 'somebody'), '/metadata/hash'],
    ['time', 3, (line) => line.replace('03:04:05', '03:04:06'), '/metadata/hash'],
    ['context', 3, (line) => line.replace('"contextId":"c"', '"contextId":"d"'), '/metadata/hash'],
    ['version', 3, (line) => line.replace('"version":2', '"version":3'), '/version'],
    ['envelope', 3, (line) => line.replace('"trust":"agent"', '"trust":"me"'), '/metadata/trust'],
    ['event id', 3, (line) => line.replace('0190a5c8', '0190A5C8'), '/eventId'],
    ['new member', 3, (line) => line.replace('{"workspace"', '{"a/b":1,"workspace"'), '/a~1b'],
    ['missing payload', 3, (line) => line.replace('"data"', '"dato"'), '/dato'],
    ['removed line', 3, () => '', '/version'],
    ['no JSON', 3, (line) => line.slice(1), ''],
    ['format', 1, (line) => line.replace('throughline', 'other'), '/format'],
    ['newer format', 1, (line) => line.replace('"version":2', '"version":3'), '/version'],
    ['count', 6, (line) => line.replace('"events":4', '"events":5'), '/end/events'],
    ['last hash', 6, (line) => line.replace(/"lastHash":"./, '"lastHash":"x'), '/end/lastHash'],
    ['more after the end', 6, (line) => `${line}\n${line}`, ''],
  ])('reports the line and the member of a change: %s', (_, line, change, pointer) => {
    const [at, found] = refusal(changed(fileOf(contextOf('c', payloads)), line, change));
    expect(at - line).toBeGreaterThanOrEqual(0);
    expect(at - line).toBeLessThanOrEqual(1);
    expect(found).toBe(pointer);
  });

  it.each<[string, (line: string) => string, string]>([
    ['/version', (line) => line.replace('"version":2', '"version":2.5'), 'must be a whole number'],
    [
      '/workspace',
      (line) => line.replace('"workspace":"default"', '"workspace":5'),
      'must be text',
    ],
    [
      '/metadata/trust',
      (line) => line.replace('"trust":"agent"', '"trust":"me"'),
      'must be one of "human", "agent", "tool", "web"',
    ],
    [
      '/dato',
      (line) => line.replace('"data"', '"dato"'),
      'is not a member of this line: remove it',
    ],
    ['/contextId', (line) => line.replace('"contextId":"c",', ''), 'is required'],
  ])('describes what %s must be', (pointer, change, detail) => {
    const fault = refusal(changed(fileOf(contextOf('c', payloads)), 3, change));
    expect(fault).toEqual([3, pointer, detail]);
  });

  it('may have version 1, which has no signatures', () => {
    const file = fileOf(contextOf('c', payloads)).replace('"version":2', '"version":1');
    expect(read(file)).toHaveLength(4);
  });

  it('reports where the export itself stopped', () => {
    const writer = new EventsJsonlWriter();
    const failed = { contextId: 'c', version: 4, reason: 'wrong-hash' };
    expect(refusal(writer.header() + writer.failure(failed))).toEqual([
      2,
      '/failed',
      'the export stopped: version 4 of "c" is broken (wrong-hash)',
    ]);
  });
});

describe('the signature of an event', () => {
  const [first, second] = contextOf('c', payloads);
  const place = { workspace: 'default', contextId: 'c', version: 1, hash: first?.hash ?? '' };
  const signature = { ...place, key: 'A'.repeat(43), value: 'A'.repeat(86) };
  const signedBy = (...signatures: readonly object[]) => {
    const writer = new EventsJsonlWriter();
    if (!first || !second) throw new Error('there are no events');
    return [
      writer.header() + writer.event(first.event, first.hash),
      ...signatures.map((each) => writer.signature(each as ExportSignature)),
      writer.event(second.event, second.hash) + writer.trailer(),
    ].join('');
  };

  it('is read after the event that it signs', () => {
    const reader = new EventsJsonlReader(sha256);
    const lines = signedBy(signature).split('\n');
    const found = lines.flatMap((line) => reader.take(line) ?? []);
    expect(found[1]).toEqual({ signature, line: 3 });
    expect(reader.finish()).toMatchObject({ contexts: 1, events: 2 });
  });

  it('signs the text of place and hash', () => {
    const hash = 'ab'.repeat(32);
    expect(signedText({ workspace: 'w', contextId: 'c', version: 7, hash })).toBe(
      `["throughline.export.v1","w","c",7,"${hash}"]`,
    );
  });

  it.each<[string, object, string]>([
    ['another workspace', { workspace: 'other' }, '/signature'],
    ['another context', { contextId: 'd' }, '/signature'],
    ['another version', { version: 2 }, '/signature'],
    ['another hash', { hash: second?.hash }, '/signature'],
    ['a key of 31 bytes', { key: 'A'.repeat(42) }, '/signature/key'],
    ['a key written in another way', { key: `${'A'.repeat(42)}B` }, '/signature/key'],
    ['a value written in another way', { value: `${'A'.repeat(85)}B` }, '/signature/value'],
    ['an extra member', { more: 1 }, '/signature/more'],
  ])('with %s is refused', (_, change, pointer) => {
    expect(refusal(signedBy({ ...signature, ...change })).slice(0, 2)).toEqual([3, pointer]);
  });

  it('follows an event, not another signature', () => {
    expect(refusal(signedBy(signature, signature))).toEqual([
      4,
      '/signature',
      'does not follow an event',
    ]);
  });
});

describe('memberTexts', () => {
  it('returns the members as they are written', () => {
    const line = ' { "a" : [1, {"b":"}\\\\\\""}] ,"c":1.0e+2, "d":"x" } ';
    expect(Object.fromEntries(memberTexts(line))).toEqual({
      a: '[1, {"b":"}\\\\\\""}]',
      c: '1.0e+2',
      d: '"x"',
    });
  });

  it('returns texts that parse to the values of the line', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const members = [...memberTexts(JSON.stringify(value, null, 1))];
        expect(members.map(([name, text]) => [name, JSON.parse(text)])).toEqual(
          Object.entries(JSON.parse(JSON.stringify(value))),
        );
      }),
    );
  });
});

const oddPayloads = [
  '{"1":1,"0":0,"__proto__":{}}',
  ' {"spaced": 1.0}',
  '{"lines":\n1}',
  '{"separator":"\u2028"}',
  '1e400',
  'no json',
];
