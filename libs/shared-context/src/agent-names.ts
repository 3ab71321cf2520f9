import { type CommandType, type ContextCommand } from './context.command.js';
import { contextEvents } from './context.events.js';
import { pointerStep } from './json.js';

/** In which members of its payload a command names agents. */
type Named = Readonly<Partial<Record<CommandType, readonly string[]>>>;

/** Members by which whoever writes says which agent did it: only who may act for that agent may say so. */
export const claimedAgents: Named = Object.fromEntries(
  contextEvents.flatMap(({ client }) =>
    client?.claimedAgent ? [[client.command, [client.claimedAgent]]] : [],
  ),
);

/** Members that name an agent for whom or about whom something is written. */
export const mentionedAgents: Named = Object.fromEntries(
  contextEvents.flatMap(({ client }) =>
    client?.mentionedAgent ? [[client.command, [client.mentionedAgent]]] : [],
  ),
);

/** An agent that a command names, and where. */
type NamedAgent = Readonly<{ pointer: string; agentId: string }>;

/** The agents that a command names in these members. */
export function agentsNamed(command: ContextCommand, members: Named): NamedAgent[] {
  return (members[command.type] ?? []).flatMap((name) => {
    const agentId: unknown = Reflect.get(command.data, name);
    return typeof agentId === 'string' ? [{ pointer: pointerStep(name), agentId }] : [];
  });
}

/** Whether two ids name the same agent: they look alike but for characters that nobody sees. */
export function isSameAgent(left: string, right: string): boolean {
  return left === right || comparable(left) === comparable(right);
}

/**
 * Whether a name could be taken for one by which others are shown, `admin`, `key:…` or `executor`: without what nobody sees,
 * accents and case, and with letters and digits that look like others read as those.
 */
export function isConfusable(name: string): boolean {
  const read = comparable(name)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase();
  const letters = Array.from(read, (letter) => lookalikes.get(letter) ?? letter).join('');
  if (letters === 'executor' || letters.startsWith('key:')) return true;
  return letters.replaceAll('rn', 'm') === 'admin';
}

export const confusableName =
  'could be taken for "admin", "key:…" or "executor": principals that are no agents are shown so';

function comparable(id: string): string {
  return id.normalize('NFKC').replace(/\p{Cf}/gu, '');
}

/** From Unicode's confusables, those of the letters of reserved names. */
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
