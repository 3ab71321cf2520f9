import fc from 'fast-check';

import { type JsonObject, type JsonValue } from '#event-sourcing';
import { clientEvent, contextToCreate } from '#shared-context';
import { jsonObject } from '#testing';

import { DocumentError } from '../documents/document.error.js';
import { type DocumentReading } from '../documents/document-format.js';
import { langgraphHistoryFormat } from './langgraph-history.js';
import { type StateChange, applyChange } from './state-change.js';

type Snapshot = Readonly<Record<string, JsonValue>>;

function read(snapshots: readonly Snapshot[], text = JSON.stringify(snapshots)): DocumentReading {
  return langgraphHistoryFormat.read([{ name: 'dump.json', text }], {});
}

/** A snapshot as `getStateHistory` of the JavaScript library returns it. */
function snapshot(step: number, values: JsonValue, more: Snapshot = {}): Snapshot {
  const configurable = { thread_id: 'support 7', checkpoint_ns: '' };
  const id = (at: number) => ({ configurable: { ...configurable, checkpoint_id: `c${at}` } });
  return {
    values,
    next: [],
    tasks: [],
    config: id(step),
    metadata: { source: step === -1 ? 'input' : 'loop', step, parents: {} },
    createdAt: new Date(1_700_000_000_000 + step * 1000).toISOString(),
    ...(step > -1 && { parentConfig: id(step - 1) }),
    ...more,
  };
}

function outputsOf({ events }: DocumentReading): (readonly [string, JsonValue])[] {
  return events.flatMap(({ event }) =>
    event.type === 'StepOutputAdded' ? [[event.data.stepId, event.data.output] as const] : [],
  );
}

/** The states in the outputs, reconstructed as the documentation of the format describes. */
function statesOf(reading: DocumentReading): Map<unknown, JsonValue | undefined> {
  const states = new Map<unknown, JsonValue | undefined>();
  for (const [, output] of outputsOf(reading)) {
    const said = output as JsonObject;
    const whole = (said['snapshot'] ?? said) as JsonObject;
    const before = states.get(said['since']) as JsonObject;
    const isWhole = Object.hasOwn(said, 'values');
    const state = isWhole ? said['values'] : applyChange(before, said as unknown as StateChange);
    states.set(
      Reflect.get((whole['config'] as JsonObject)['configurable'] as object, 'checkpoint_id'),
      state,
    );
  }
  return states;
}

const human = { type: 'human', data: { content: 'Where is my order?' } };
const ai = { type: 'ai', data: { content: 'On its way.' } };

const thread = [
  snapshot(1, { messages: [human, ai], topic: 'order' }, { next: [] }),
  snapshot(0, { messages: [human], draft: 1 }, { next: ['agent'] }),
  snapshot(
    -1,
    {},
    {
      next: ['__start__'],
      metadata: { source: 'input', step: -1, writes: { __start__: { messages: [human] } } },
    },
  ),
];

describe('reading the history of a thread', () => {
  it('makes a step of each snapshot, oldest first, with its changes', () => {
    const reading = read(thread);
    const outputs = outputsOf(reading);
    expect(outputs.map(([stepId]) => stepId)).toEqual([
      'step:-1:input',
      'step:000',
      'step:001:agent',
    ]);
    expect(outputs[0]?.[1]).toEqual(thread[2]);
    expect(outputs[2]?.[1]).toMatchObject({
      since: 'c0',
      changed: { topic: 'order' },
      appended: { messages: [ai] },
      removed: ['draft'],
    });
    expect(reading.contextId).toBe('support-7');
    expect(reading.creation).toEqual({
      title: 'Where is my order?',
      input: { messages: [human] },
    });
    expect(reading.events[2]?.origin).toEqual({
      agentId: 'agent',
      timestamp: '2023-11-14T22:13:21.000Z',
    });
    expect(reading.notes).toEqual([]);
  });

  it('reads the output of Python, with a snapshot on each line', () => {
    const lines = thread.map(({ createdAt, parentConfig, ...rest }) =>
      JSON.stringify({ ...rest, created_at: createdAt, parent_config: parentConfig ?? null }),
    );
    const reading = read([], lines.join('\n'));
    expect(outputsOf(reading).map(([stepId]) => stepId)).toEqual(
      outputsOf(read(thread)).map(([stepId]) => stepId),
    );
    expect(reading.events.map(({ place }) => place.line)).toEqual([3, 2, 1]);
  });

  it('reads branches, and notes where they begin', () => {
    const { config, ...fork } = snapshot(2, { messages: [human], topic: 'refund' });
    const other = { configurable: { thread_id: 'support 7', checkpoint_id: 'fork' } };
    const { config: parentConfig } = snapshot(0, {});
    const branch = { ...fork, config: other, parentConfig: parentConfig ?? null };
    const reading = read([branch, ...thread]);
    expect(config).toBeDefined();
    expect(statesOf(reading).get('fork')).toEqual({ messages: [human], topic: 'refund' });
    expect(reading.notes).toEqual([
      expect.objectContaining({ pointer: '/0', detail: expect.stringContaining('branch') }),
    ]);
  });

  it('records interrupts', () => {
    const interrupts = [{ value: 'Refund 7 euros?', when: 'during' }];
    const paused = snapshot(-1, {}, { tasks: [{ id: 't', name: 'refund', interrupts }] });
    expect(read([paused]).events[1]?.event).toEqual({
      type: 'RecordAppended',
      data: {
        recordId: 'interrupt:step:-1:input:1',
        kind: 'custom',
        title: 'Interrupted in refund',
        fields: { interrupts },
        stepId: 'step:-1:input',
      },
    });
  });

  it('stores an inexact snapshot as text, and the next state whole', () => {
    const exact = JSON.stringify(snapshot(0, { n: 2 }));
    const inexact = JSON.stringify(snapshot(-1, { n: 1 })).replace('"n":1', '"n":9007199254740993');
    const reading = read([], `${exact}\n${inexact}`);
    expect(outputsOf(reading)[0]).toEqual(['step:-1:input', inexact]);
    expect(outputsOf(reading)[1]?.[1]).toHaveProperty('values', { n: 2 });
    expect(reading.notes[0]).toMatchObject({ line: 2, kind: 'changed' });
  });
});

describe('the history of a thread that is refused', () => {
  it.each([
    ['[]', 'dump.json:1: has no snapshot of a state'],
    ['[{"values":{}}]', 'dump.json:1, /0: is not a snapshot of a state'],
    ['[1,', 'dump.json:1: column 4: the JSON ends too early'],
  ])('is %s', (text, message) => {
    expect(() => read([], text)).toThrow(message);
  });

  it('has snapshots of two threads in a file', () => {
    const config = { configurable: { thread_id: 'b', checkpoint_id: 'x' } };
    expect(() => read([snapshot(0, {}), snapshot(-1, {}, { config })])).toThrow(
      'has snapshots of the threads "b" and "support 7"',
    );
  });

  it('is a portion of a file', () => {
    const document = { name: 'dump.jsonl', text: JSON.stringify(thread[0]) };
    expect(() => langgraphHistoryFormat.read([document], { firstLine: 9 })).toThrow(DocumentError);
  });
});

/** States that grow and shrink like those of threads. */
const states = fc.array(
  fc.oneof(
    jsonObject,
    fc.record({ messages: fc.array(fc.constantFrom('a', 'b'), { maxLength: 6 }) }),
  ),
  { minLength: 1, maxLength: 8 },
);

describe('the history of any thread', () => {
  it('has each state in its outputs, which are valid events', () => {
    fc.assert(
      fc.property(states, fc.array(fc.nat(), { maxLength: 8 }), (values, parents) => {
        const snapshots = values.map((state, at) => {
          const parent = snapshot(((parents[at] ?? at) % (at + 1)) - 1, {})['config'] ?? null;
          return snapshot(at, state, at === 0 ? {} : { parentConfig: parent });
        });
        const reading = read(snapshots.toReversed());
        contextToCreate.parse(reading.creation);
        for (const { event } of reading.events) clientEvent.parse(event);
        const again = statesOf(reading);
        for (const [at, state] of values.entries()) expect(again.get(`c${at}`)).toEqual(state);
        const items = reading.events.map(({ item }) => item);
        expect(new Set(items).size).toBe(items.length);
      }),
    );
  });

  it('is read, or refused with a location, for any members', () => {
    const odd = fc.record({
      values: jsonObject,
      next: jsonObject,
      config: jsonObject,
      metadata: jsonObject,
      tasks: fc.array(jsonObject),
      createdAt: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, jsonObject)), (snapshots) => {
        try {
          for (const { event } of read(snapshots).events) clientEvent.parse(event);
        } catch (error) {
          expect(error).toBeInstanceOf(DocumentError);
        }
      }),
    );
  });

  it('takes space in proportion to its changes', () => {
    const messages = Array.from({ length: 300 }, (_, at) => ({ ...human, id: at }));
    const grown = messages.map((__, at) => snapshot(at - 1, { messages: messages.slice(0, at) }));
    const reading = read(grown.toReversed());
    expect(JSON.stringify(reading.events).length).toBeLessThan(300 * 1_500);
    expect(JSON.stringify(grown).length).toBeGreaterThan(300 * 7_000);
  });
});
