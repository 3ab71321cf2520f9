import { type CommandType, type ContextCommand } from './context.command.js';
import { contextEvents } from './context.events.js';
import { pointerStep } from './json.js';

/** The payload members of each command that name agents. */
type AgentMembers = Readonly<Partial<Record<CommandType, readonly string[]>>>;

/** Members that name the agent that did the work. The writer must be allowed to act for that agent. */
export const claimedAgents: AgentMembers = Object.fromEntries(
  contextEvents.flatMap(({ client }) =>
    client?.claimedAgent ? [[client.command, [client.claimedAgent]]] : [],
  ),
);

/** Members that name an agent for whom or about whom something is written. */
export const mentionedAgents: AgentMembers = Object.fromEntries(
  contextEvents.flatMap(({ client }) =>
    client?.mentionedAgent ? [[client.command, [client.mentionedAgent]]] : [],
  ),
);

/** An agent that a command names, and the JSON pointer to it. */
type NamedAgent = Readonly<{ pointer: string; agentId: string }>;

/** The agents that a command names in these members. */
export function agentsNamed(command: ContextCommand, members: AgentMembers): NamedAgent[] {
  return (members[command.type] ?? []).flatMap((name) => {
    const agentId: unknown = Reflect.get(command.data, name);
    return typeof agentId === 'string' ? [{ pointer: pointerStep(name), agentId }] : [];
  });
}

/**
 * Whether two ids name the same agent: they differ at most in invisible characters and in Unicode compatibility forms.
 */
export function isSameAgent(left: string, right: string): boolean {
  return left === right || comparable(left) === comparable(right);
}

/**
 * Whether a name looks like a reserved one: `admin`, `key:…` or `executor`. The comparison ignores invisible
 * characters, accents and case, and treats lookalike letters and digits as equal.
 */
export function isConfusable(name: string): boolean {
  const plain = comparable(name)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase();
  const letters = Array.from(plain, (letter) => lookalikes.get(letter) ?? letter).join('');
  if (letters === 'executor' || letters.startsWith('key:')) return true;
  return letters.replaceAll('rn', 'm') === 'admin';
}

export const confusableName =
  'looks like "admin", "key:…" or "executor": these names are reserved for principals that are not agents';

function comparable(id: string): string {
  return id.normalize('NFKC').replace(/\p{Cf}/gu, '');
}

/** The entries of Unicode's confusables table for the letters of the reserved names. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑⲁ',
    c: 'сϲⲥ',
    d: 'ԁɗ',
    e: 'еҽєε℮',
    i: 'іιıɩӏlı1|!ǀ',
    k: 'кκⲕ',
    m: 'мⲙ',
    n: 'ոռղпη',
    o: 'оοօ0ⲟ',
    r: 'гⲅ',
    t: 'тτ',
    u: 'υսц',
    x: 'хⅹ×',
    y: 'уүγу',
    ':': 'ː˸։׃܃∶꞉︓',
  }).flatMap(([letter, alike]) => Array.from(alike, (other) => [other, letter] as const)),
);
