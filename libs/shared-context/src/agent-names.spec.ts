import fc from 'fast-check';
import { z } from 'zod';

import {
  agentsNamed,
  claimedAgents,
  isConfusable,
  isSameAgent,
  mentionedAgents,
} from './agent-names.js';
import { type ClientEvent, clientPayloads, commandFromEvent } from './client-event.js';
import { handoverNoted } from './handovers/handover.events.js';
import { agentId } from './payload.schema.js';

/** Every member of a client's payload that names an agent, by the command that it leads to. */
const named = Object.entries(clientPayloads).flatMap(([type, schema]) => {
  const event = { type, data: {} } as unknown as ClientEvent;
  return shapesOf(schema)
    .flatMap((shape) => Object.entries(shape))
    .filter(([, member]) => isAgent(member))
    .map(([member]) => [commandFromEvent(event, () => 'id').type, member]);
});

const unseen = fc.constantFrom('\u200b', '\u00ad', '\u2060', '\ufeff', '\u202e', '\u200d');

/** The same letters, some of them wide or bold, with characters that nobody sees in between. */
function variant(name: string): fc.Arbitrary<string> {
  const letters = Array.from(name, (letter) =>
    fc
      .tuple(fc.constantFrom(...wide(letter)), fc.option(unseen, { nil: '' }))
      .map(([shown, hidden]) => shown + hidden),
  );
  return fc.tuple(...letters).map((parts) => parts.join(''));
}

describe('agents named in commands', () => {
  it('are claims or mentions, each of them by decision', () => {
    const listed = [claimedAgents, mentionedAgents].flatMap((members) =>
      Object.entries(members).flatMap(([type, names]) => names.map((name) => [type, name])),
    );
    expect(named.length).toBeGreaterThan(7);
    expect(listed.map(String).sort()).toEqual(named.map(String).sort());
  });

  it('are found with their places, where they are stated', () => {
    const data = { handoverId: 'h', to: 'bob', note: 'n' };
    const note = (stated: object) =>
      agentsNamed({ type: 'NoteHandover', data: { ...data, ...stated } }, claimedAgents);
    expect(note({ from: 'ada' })).toEqual([{ pointer: '/from', agentId: 'ada' }]);
    expect(note({})).toEqual([]);
  });
});

describe('ids of agents', () => {
  it('are the same if they look the same', () => {
    fc.assert(fc.property(variant('architect'), (name) => isSameAgent(name, 'architect')));
    expect(isSameAgent('Architect', 'architect')).toBe(false);
    expect(isSameAgent('ada', 'bob')).toBe(false);
  });

  it('are confusable in every disguise of a reserved name', () => {
    const disguised = fc.oneof(variant('admin'), variant('ADMIN'), variant('key:0190'));
    fc.assert(fc.property(disguised, isConfusable));
  });

  it.each([
    'Admin',
    'аdmin',
    'adm1n',
    'adrnin',
    'ádmin',
    ' admin',
    'KEY:1',
    'kеy:1',
    'key：1',
    'key\u02d01',
    'Executor',
    'ехecutor',
    'execut0r',
  ])('are confusable as %j', (name) => {
    expect(isConfusable(name)).toBe(true);
  });

  it.each([
    'administrator',
    'sdd-admin',
    'keyboard',
    'monkey:1',
    'executors',
    'sdd-executor',
    'mallory',
    'приём',
    '管理者',
    'a',
  ])('are no others, such as %j', (name) => {
    expect(isConfusable(name)).toBe(false);
  });

  it('are read as they were stored, whatever is refused now', () => {
    const stored = { handoverId: 'h', from: 'admin\u200b', to: 'аdmin', note: 'n' };
    expect(handoverNoted.schema.parse(stored)).toEqual(stored);
  });
});

function shapesOf(schema: z.ZodType): object[] {
  if (schema instanceof z.ZodObject) return [schema.shape];
  if (schema instanceof z.ZodDiscriminatedUnion)
    return schema.options.flatMap((option) => shapesOf(option as z.ZodType));
  throw new Error('a payload is an object, or one of several');
}

function isAgent(schema: unknown): boolean {
  return schema instanceof z.ZodOptional ? isAgent(schema.unwrap()) : schema === agentId;
}

function wide(letter: string): string[] {
  const code = letter.codePointAt(0) ?? 0;
  return [letter, String.fromCodePoint(code + 0xfee0)];
}
