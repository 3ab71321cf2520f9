import fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';
import { clientEvent, contextToCreate } from '#shared-context';
import { jsonValue } from '#testing';

import { DocumentError } from '../documents/document.error.js';
import { type DocumentReading } from '../documents/document-format.js';
import { trajectoryJsonlFormat } from './trajectory-jsonl.js';

function read(text: string, firstLine?: number): DocumentReading {
  return trajectoryJsonlFormat.read([{ name: 'runs/run 7.jsonl', text }], { firstLine });
}

function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** The step, output, author and visibility of each event. */
function outputs({ events }: DocumentReading): unknown[] {
  return events.map(({ event, origin }) => {
    if (event.type !== 'StepOutputAdded') throw new Error(`unexpected ${event.type}`);
    const { stepId, output } = event.data;
    return [stepId, output, origin?.agentId ?? null, event.visibility ?? 'record'];
  });
}

function refusalOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof DocumentError) return error.message;
    throw error;
  }
  return 'imported';
}

const system = { role: 'system', content: 'You book flights.' };
const user = { role: 'user', content: 'Cancel my flight,\nplease.' };

describe('reading a message from each line', () => {
  it('makes a step of each message, with the number of its line, including empty lines', () => {
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'cancel', arguments: '{}' } }],
    };
    const answer = { role: 'tool', tool_call_id: 'c1', name: 'cancel', content: 'done' };
    const reading = read(`\ufeff${lines(system, user)}\r\n${lines(call, answer)}`);
    expect(outputs(reading)).toEqual([
      ['m000001', system, 'system', 'record'],
      ['m000002', user, 'user', 'record'],
      ['m000004', call, 'assistant', 'record'],
      ['m000005', answer, 'tool', 'record'],
    ]);
    expect(reading.contextId).toBe('run-7');
    expect(reading.creation).toEqual({
      title: 'Cancel my flight, please.',
      input: { system: 'You book flights.', task: 'Cancel my flight,\nplease.' },
    });
    expect(reading.documents).toEqual([]);
    expect(reading.notes).toEqual([]);
  });

  it('reads blocks of Anthropic, and stores messages with only thinking as working notes', () => {
    const question = { role: 'user', content: [{ type: 'text', text: 'Why?' }] };
    const thought = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] };
    const reply = {
      role: 'assistant',
      content: [...thought.content, { type: 'tool_use', id: 't', name: 'look', input: {} }],
    };
    const reading = read(lines(question, thought, reply));
    expect(outputs(reading).map((row) => (row as unknown[]).slice(2))).toEqual([
      ['user', 'record'],
      ['assistant', 'working'],
      ['assistant', 'record'],
    ]);
    expect(reading.creation.title).toBe('Why?');
  });

  it.each([
    { role: 'assistant', content: '', reasoning_content: 'let me think' },
    { type: 'reasoning', summary: [] },
    { source: 'agent', action: 'think', args: { thought: 'hm' } },
    { role: 'Orchestrator (thought)', content: 'hm' },
  ])('recognizes %j as thinking', (message) => {
    expect(read(lines(message)).events[0]?.event).toMatchObject({ visibility: 'working' });
  });

  it('reads both formats of LangChain', () => {
    const human = { type: 'human', data: { content: 'Find it', name: 'ann' } };
    const ai = {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'AIMessageChunk'],
      kwargs: { content: 'Found' },
    };
    const tool = { type: 'tool', data: { content: '7', name: 'search', tool_call_id: 'x' } };
    const reading = read(lines(human, ai, tool));
    expect(reading.events.map(({ origin }) => origin?.agentId)).toEqual([
      'ann',
      'assistant',
      'tool',
    ]);
    expect(reading.creation.title).toBe('Find it');
  });

  it('reads the authors and times of events, and notes each unusable one once', () => {
    const reading = read(
      lines(
        { source: 'agent', timestamp: '2026-01-02T03:04:05Z', action: 'run' },
        { source: 'environment', timestamp: '2026-01-02T03:04:05.123', content: 'ok' },
        { name: 'admin', ts: 1_700_000_000_000, content: 'hi' },
        { name: 'admin', ts: '2026-01-02T03:04:05.1', content: 'hi' },
      ),
    );
    expect(reading.events.map(({ origin }) => origin)).toEqual([
      { agentId: 'agent', timestamp: '2026-01-02T03:04:05Z' },
      { agentId: 'environment' },
      { timestamp: '2023-11-14T22:13:20.000Z' },
      undefined,
    ]);
    expect(reading.notes.map(({ line, kind }) => [line, kind])).toEqual([
      [2, 'text'],
      [3, 'text'],
    ]);
  });
});

describe('reading a trajectory from a document', () => {
  it('makes steps of the entries of its list, and one of its other members', () => {
    const text = JSON.stringify({ task: 'Fix it', messages: [system, user], cost: 2 }, null, 2);
    const reading = read(text);
    expect(outputs(reading)).toEqual([
      ['document', { task: 'Fix it', cost: 2 }, null, 'record'],
      ['m000001', system, 'system', 'record'],
      ['m000002', user, 'user', 'record'],
    ]);
    expect(reading.events.map(({ place }) => [place.line, place.pointer])).toEqual([
      [1, ''],
      [4, '/messages/0'],
      [8, '/messages/1'],
    ]);
    expect(reading.creation).toEqual({
      title: 'Fix it',
      input: { system: 'You book flights.', task: 'Fix it' },
    });
  });

  it('reads the actions of SWE-agent in addition to its messages', () => {
    const action = { action: 'ls', observation: 'a.py', thought: 'look' };
    const history = [user, { role: 'assistant', content: 'look', agent: 'primary' }];
    expect(outputs(read(JSON.stringify({ trajectory: [action], history })))).toEqual([
      ['trajectory-000001', action, null, 'record'],
      ['m000001', history[0], 'user', 'record'],
      ['m000002', history[1], 'primary', 'record'],
    ]);
  });

  it('numbers the events of chapters across chapters, with the agent of the chapter', () => {
    const events = [{ ts: 1_700_000_000_000, type: 'note', content: 'a' }];
    const chapters = [
      { id: 'c1', agentName: 'Lead', events },
      { id: 'c2', agentName: 'Dev', events: [...events, { type: 'note', content: 'b' }] },
    ];
    const reading = read(JSON.stringify({ task: { title: 'Ship' }, chapters }));
    expect(reading.events.map(({ item, origin }) => [item, origin?.agentId])).toEqual([
      ['step-output:document', undefined],
      ['step-output:chapter-001', 'Lead'],
      ['step-output:m000001', 'Lead'],
      ['step-output:chapter-002', 'Dev'],
      ['step-output:m000002', 'Dev'],
      ['step-output:m000003', 'Dev'],
    ]);
    expect(reading.creation.title).toBe('Ship');
  });

  it('reads an array, and an object without a list as one entry', () => {
    expect(outputs(read(JSON.stringify([user])))).toEqual([['m000001', user, 'user', 'record']]);
    expect(outputs(read('{"task":"a","messages":[]}'))).toEqual([
      ['m000001', { task: 'a', messages: [] }, null, 'record'],
    ]);
  });
});

describe('values that an output cannot contain', () => {
  const deep = `${'['.repeat(70)}${']'.repeat(70)}`;

  it.each([deep, '{"n":9007199254740993}', '{"a":1,"a":2}', '[1e400]'])(
    'are stored as text: %s',
    (text) => {
      const reading = read(`${text}\n"x"`);
      expect(outputs(reading)[0]).toEqual(['m000001', text, null, 'record']);
      expect(reading.notes).toEqual([expect.objectContaining({ line: 1, kind: 'changed' })]);
    },
  );

  it('are stored in several texts if they are too long', () => {
    const text = JSON.stringify({ role: 'user', content: '"😀'.repeat(400_000) });
    const reading = read(`"x"\n${text}`);
    const parts = outputs(reading)
      .slice(1)
      .map((row) => row as [string, string]);
    expect(parts.map(([stepId]) => stepId).slice(0, 2)).toEqual(['m000002', 'm000002.2']);
    expect(parts.map(([, part]) => part).join('')).toBe(text);
    for (const [, part] of parts) {
      expect(part.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(900_002);
    }
  });
});

describe('a trajectory that is refused', () => {
  it.each([
    ['{"a":1}\n{"a":}\n', 'runs/run 7.jsonl:2: column 6: this is not JSON'],
    ['{\n  "a": [1,\n  2', 'runs/run 7.jsonl:3: column 4: the JSON ends too early'],
    ['user: hello\n', 'runs/run 7.jsonl:1: column 1: this is not JSON'],
    [' \n', 'runs/run 7.jsonl:1: has no message'],
    ['[]', 'runs/run 7.jsonl:1: has no message'],
  ])('is reported with its position: %j', (text, message) => {
    expect(refusalOf(text)).toContain(message);
  });

  it('has more messages than a context can have', () => {
    expect(() => read('{}\n'.repeat(500_001))).toThrow('run 7.jsonl:500001: is message 500001');
  });

  it('has a second file', () => {
    const text = lines(user);
    expect(() =>
      trajectoryJsonlFormat.read(
        [
          { name: 'a', text },
          { name: 'b', text },
        ],
        {},
      ),
    ).toThrow('b:1: is a second file');
  });
});

const message: fc.Arbitrary<JsonValue> = fc.oneof(
  jsonValue,
  fc.record(
    {
      role: fc.constantFrom('user', 'assistant', 'tool', 'admin', '', '\u0000'),
      content: fc.oneof(jsonValue, fc.array(fc.record({ type: fc.string(), text: jsonValue }))),
      timestamp: jsonValue,
      type: fc.constantFrom('human', 'ai', 'constructor', 'reasoning'),
      data: jsonValue,
      id: jsonValue,
      kwargs: jsonValue,
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonValue>,
);

const block = fc.oneof(
  message.map((value) => `${JSON.stringify(value)}\n`),
  fc.constantFrom('\n', ' ', '{', '}', '[', ']', ',', '"', '\\u', '1e999', '{"messages":[', ':'),
);

describe('a trajectory of any text', () => {
  it('is refused with a position, or becomes valid events with a separate step for each', () => {
    const text = fc.oneof(
      fc.string(),
      fc.array(block).map((parts) => parts.join('')),
      fc
        .record({ chapters: fc.array(fc.record({ events: message })), history: fc.array(message) })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(text, (written) => {
        const reading = readIfFit(written);
        if (!reading) return;
        expect(() => contextToCreate.parse(reading.creation)).not.toThrow();
        for (const { event } of reading.events)
          expect(() => clientEvent.parse(event)).not.toThrow();
        const items = reading.events.map(({ item }) => item);
        expect(new Set(items).size).toBe(items.length);
      }),
    );
  });

  it('makes the same steps in portions as at once', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 2, maxLength: 9 }), fc.nat(8), (values, cut) => {
        const all = values.map((value) => `${JSON.stringify(value)}\n`);
        const at = 1 + (cut % (all.length - 1));
        const [first, rest] = [all.slice(0, at).join(''), all.slice(at).join('')];
        const portions = [read(first, 1), read(rest, at + 1)];
        const whole = read(all.join(''));
        expect(portions.flatMap(({ events }) => events)).toEqual(whole.events);
        expect(portions[1]?.creation).toEqual({});
      }),
    );
  });

  it('reads a long list on one line within seconds', () => {
    const from = processorTime();
    expect(read(JSON.stringify(Array(40_000).fill(user))).events).toHaveLength(40_000);
    expect(processorTime() - from).toBeLessThan(5_000);
  });

  it.each(['[', '{"a":', '"', '1', ' ', '\n', '{"messages":[1],', '[]\n', '{}\n'])(
    'ends within seconds: %j repeated',
    (part) => {
      const text = part.repeat(Math.floor(500_000 / part.length));
      const from = processorTime();
      readIfFit(text);
      expect(processorTime() - from).toBeLessThan(5_000);
    },
  );
});

/** CPU time of this process in milliseconds, because other processes may take most of the wall-clock time. */
function processorTime(): number {
  return process.cpuUsage().user / 1_000;
}

function readIfFit(text: string): DocumentReading | undefined {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
