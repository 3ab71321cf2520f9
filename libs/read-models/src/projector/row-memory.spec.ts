import { ContextState } from '#shared-context';
import { did, recordContextEvent } from '#testing';

import { type DecodedEvent } from '../contexts/decode-event.js';
import { type ContextChanges, keysOf, projectEvents } from '../contexts/project-events.js';
import { type LoadedItem, RowMemory, keyText } from './row-memory.js';

const id = (contextId: string) => ({ workspace: 'default', contextId });

describe('what a projector remembers of its rows', () => {
  it('counts once it is committed, and not after a failure', () => {
    const memory = new RowMemory();
    memory.learn(lesson('a', created));
    expect(memory.find(id('a'))).toBeUndefined();
    memory.commit();
    expect(memory.find(id('a'))?.head?.version).toBe(1);
    memory.learn(lesson('a', created, output(1)));
    memory.clear();
    memory.commit();
    expect(memory.find(id('a'))).toBeUndefined();
  });

  it('is forgotten with what was to be remembered of it', () => {
    const memory = new RowMemory();
    memory.learn(lesson('a', created));
    memory.forget(id('a'));
    memory.commit();
    expect(memory.find(id('a'))).toBeUndefined();
  });

  it('knows what is there and what is not, as the rows say it', () => {
    const memory = new RowMemory();
    const events = [created, preference('x', 1), preference('x', null), output('large')];
    memory.learn(lesson('a', ...events));
    memory.commit();
    const known = memory.find(id('a'));
    expect(known?.items.get('preference x')).toBeUndefined();
    expect(known?.items.has('preference x')).toBe(true);
    expect(known?.items.get('life ')).toEqual(rowsAfter('a', ...events).get('life', ''));
    expect([...(known?.agents ?? [])]).toEqual(['tester']);
  });

  it('keeps no payload that no fold looks at', () => {
    const memory = new RowMemory();
    memory.learn(lesson('a', created, output('large'), preference('x', 'kept')));
    memory.commit();
    const items = memory.find(id('a'))?.items;
    expect(items?.get('step-output s')).toMatchObject({ body: undefined, fromVersion: 2 });
    expect(items?.get('preference x')).toMatchObject({ body: 'kept' });
  });

  it('lets go of the contexts used longest ago, as many as its limit asks', () => {
    const memory = new RowMemory(20_000);
    for (let n = 0; n < 100; n++) {
      memory.learn(lesson(`c-${n}`, created, output(n)));
      memory.learn(lesson('busy', created));
      memory.commit();
    }
    expect(memory.find(id('busy'))).toBeDefined();
    expect(memory.find(id('c-99'))).toBeDefined();
    expect(memory.find(id('c-0'))).toBeUndefined();
  });

  it('holds nothing of what it has no room for, and gives up no other context for it', () => {
    const memory = new RowMemory(20_000);
    memory.learn(lesson('small', created));
    memory.commit();
    const values = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, n]));
    memory.learn(lesson('large', created, did('PreferencesSet', { values })));
    memory.commit();
    expect(memory.find(id('large'))).toBeUndefined();
    expect(memory.find(id('small'))).toBeDefined();
  });

  it('gives up no other context for one whose few values outgrow it, at once or bit by bit', () => {
    const memory = new RowMemory(20_000);
    memory.learn(lesson('small', created));
    memory.learn(lesson('large', created, preference('x', 'x'.repeat(20_000))));
    memory.learn(lesson('growing', created));
    memory.commit();
    expect(memory.find(id('large'))).toBeUndefined();
    for (const name of ['a', 'b', 'c']) {
      memory.learn(lesson('growing', created, preference(name, 'x'.repeat(6_000))));
      memory.commit();
    }
    expect(memory.find(id('growing'))).toBeUndefined();
    expect(memory.find(id('small'))).toBeDefined();
    // What the large ones would take is not counted on.
    memory.learn(lesson('next', created, preference('x', 'x'.repeat(14_000))));
    memory.commit();
    expect(memory.find(id('next'))).toBeDefined();
    expect(memory.find(id('small'))).toBeDefined();
  });

  it('counts agents', () => {
    const memory = new RowMemory(20_000);
    const { changes, ...rest } = lesson('busy', created);
    const agents = Array.from({ length: 100 }, (_, n) => `agent-${n} `.repeat(25));
    memory.learn({ ...rest, changes: { ...changes, agents } });
    memory.commit();
    expect(memory.find(id('busy'))).toBeUndefined();
  });
});

const created = did('ContextCreated', {});
const output = (value: string | number) => did('StepOutputAdded', { stepId: 's', output: value });
const preference = (name: string, value: string | number | null) =>
  did('PreferencesSet', { values: { [name]: value } });

type Event = ReturnType<typeof did>;

/** What applying these events to a context without rows teaches. */
function lesson(contextId: string, ...events: readonly Event[]) {
  const decoded = events.map((event, at) => decodedOf(event, at + 1));
  const loaded = new Map<string, LoadedItem>(
    keysOf(decoded).map((key) => [keyText(key), undefined]),
  );
  return { id: id(contextId), loaded, changes: changesOf(contextId, decoded) };
}

function changesOf(contextId: string, decoded: readonly DecodedEvent[]): ContextChanges {
  const [first, ...rest] = decoded;
  if (!first) throw new Error('no events');
  return projectEvents(id(contextId), undefined, { find: () => undefined }, [first, ...rest]);
}

function rowsAfter(contextId: string, ...events: readonly Event[]): ContextState {
  const { added } = changesOf(
    contextId,
    events.map((event, at) => decodedOf(event, at + 1)),
  );
  return ContextState.from(
    added.flatMap(({ kind, key, fromVersion, state, body, sources, toVersion }) =>
      toVersion === null && state !== null
        ? [{ kind, key, fromVersion, state, body, sources }]
        : [],
    ),
  );
}

function decodedOf(event: Event, version: number): DecodedEvent {
  const recorded = recordContextEvent(event, version);
  const envelope = { hash: '', correlationId: null, causationId: null, basedOn: null };
  // Nothing that is tested here looks at more of it.
  return { ...recorded, position: String(version), tokens: 1, envelope } as unknown as DecodedEvent;
}
