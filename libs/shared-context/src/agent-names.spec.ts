import fc from 'fast-check';
import { z } from 'zod';

import { agentsNamed, claimedAgents, isConfusable, isSameAgent } from './agent-names.js';
import { clientPayloads } from './client-event.js';
import { contextEvents } from './context.events.js';
import { handoverNoted } from './handovers/handover.events.js';
import { agentId } from './payload.schema.js';

/** Matches the names of members that name agents, regardless of their schema. */
const nameOfAgent =
  /^(agents?|agentIds?|author|owner|assignee|reviewers?|participants|to|from)$|By$/;

/** Members that name agents and are neither claims nor mentions, with the reason. */
const exempt: Readonly<Record<string, string>> = {
  'ReviewRecorded participants':
    'people without a key take part too; no rule, audience or inbox depends on who is named',
  'RecordAppended participants':
    'people without a key take part too; no rule, audience or inbox depends on who is named',
};

/** Every member of a client payload that names an agent, as `<event type> <member>`. */
const naming = Object.entries(clientPayloads).flatMap(([type, schema]) =>
  membersNaming(schema).map((member) => `${type} ${member}`),
);

/** The members that event definitions declare, as `<event type> <member>`. */
const declared = contextEvents.flatMap(({ type, client }) =>
  [client?.claimedAgent, client?.mentionedAgent].flatMap((member) =>
    member === undefined ? [] : [`${type} ${member}`],
  ),
);

const invisible = fc.constantFrom('\u200b', '\u00ad', '\u2060', '\ufeff', '\u202e', '\u200d');

/** The same letters, some of them full-width, with invisible characters in between. */
function variant(name: string): fc.Arbitrary<string> {
  const letters = Array.from(name, (letter) =>
    fc
      .tuple(fc.constantFrom(...wide(letter)), fc.option(invisible, { nil: '' }))
      .map(([shown, hidden]) => shown + hidden),
  );
  return fc.tuple(...letters).map((parts) => parts.join(''));
}

describe('members that name agents in commands', () => {
  it('are declared as claims or mentions by the event definition, or exempt with a reason', () => {
    expect(naming.length).toBeGreaterThan(7);
    const undeclared = naming.filter((member) => !declared.includes(member));
    // For a new member, add `claimedAgent` or `mentionedAgent` to the `client` of its event definition.
    expect(undeclared.toSorted()).toEqual(Object.keys(exempt).toSorted());
    expect(declared.filter((member) => !naming.includes(member))).toEqual([]);
  });

  it('are recognized by schema or name, also in lists and alternatives', () => {
    const alternative = (kind: string) =>
      z.strictObject({ kind: z.literal(kind), approver: agentId.optional(), note: z.string() });
    const schema = z.strictObject({
      helpers: z.array(z.strictObject({ id: agentId })).max(9),
      assignee: z.string().nullable(),
      verdict: z.discriminatedUnion('kind', [alternative('a'), alternative('b')]).optional(),
      goodbye: z.string(),
    });
    expect(membersNaming(schema)).toEqual(['helpers.id', 'assignee', 'verdict.approver']);
  });

  it('are found with their pointers if they are present', () => {
    const data = { handoverId: 'h', to: 'bob', note: 'n' };
    const note = (stated: object) =>
      agentsNamed({ type: 'NoteHandover', data: { ...data, ...stated } }, claimedAgents);
    expect(note({ from: 'ada' })).toEqual([{ pointer: '/from', agentId: 'ada' }]);
    expect(note({})).toEqual([]);
  });
});

describe('ids of agents', () => {
  it('are equal if they look the same', () => {
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
  ])('are not confusable as %j', (name) => {
    expect(isConfusable(name)).toBe(false);
  });

  it('are read as stored, even if they would be refused today', () => {
    const stored = { handoverId: 'h', from: 'admin\u200b', to: 'аdmin', note: 'n' };
    expect(handoverNoted.schema.parse(stored)).toEqual(stored);
  });
});

/** The members of a payload that name agents, with paths for members of inner objects. */
function membersNaming(payload: z.core.$ZodType): string[] {
  return [...new Set(membersOf(payload, []))];
}

function membersOf(schema: z.core.$ZodType, path: readonly string[]): string[] {
  if (schema === agentId) return [path.join('.')];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return membersOf(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return membersOf(schema.element, path);
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => membersOf(option, path));
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, member]) =>
      membersOf(member, [...path, name]),
    );
  return nameOfAgent.test(path.at(-1) ?? '') ? [path.join('.')] : [];
}

function wide(letter: string): string[] {
  const code = letter.codePointAt(0) ?? 0;
  return [letter, String.fromCodePoint(code + 0xfee0)];
}
