import { type JsonObject, type JsonValue } from '#event-sourcing';
import {
  type Activity,
  type Item,
  type ItemKind,
  activityOf,
  bodyReaderOf,
  breakerStatusOf,
  loopFacts,
  renderHandover,
  renderInputRequest,
  renderIssue,
  renderTask,
} from '#shared-context';

import { digestOf } from '../digests/index.js';
import { byAuthors } from './authors.js';
import { refOf } from './item-ref.js';
import { isJsonObject } from './json-member.js';
import { lazyPart } from './lazy-part.js';
import { codeSpan, quoted, quotedMembers, quotedValue } from './shown-text.js';
import { type StandingPart, lineWith, shorter } from './standing-part.js';
import { stateTexts } from './state-text.js';

const digestRoom = 600;
const constraint = /constraint/i;

/** What holds now, in a fixed order: preferences, global context, open work, state. */
export function standingParts(
  items: readonly Item[],
  activity: Activity = activityOf(items),
): readonly StandingPart[] {
  const ofKind = (kind: ItemKind) => items.filter((item) => item.kind === kind).sort(byKey);
  const oldest = (kind: ItemKind) => ofKind(kind).sort((a, b) => a.fromVersion - b.fromVersion);
  const open = (kind: ItemKind) => oldest(kind).filter(({ state }) => state['status'] === 'open');
  return [
    ...ofKind('preference').map((item) => once(item, preferencePart)),
    ...ofKind('global').map((item) => once(item, globalPart)),
    ...open('blocker').map((item) => once(item, blockerPart)),
    ...open('handover').map((item) => once(item, handoverPart)),
    ...open('input-request').map((item) => once(item, inputRequestPart)),
    ...open('issue').map((item) => once(item, issuePart)),
    ...oldest('task')
      .filter(({ state }) => state['status'] !== 'completed')
      .map((item) => once(item, taskPart)),
    ...ofKind('loop').flatMap(breakerPart),
    statePart(activity),
  ];
}

/** Parts follow from their items alone, and take time to make of large ones. */
const made = new WeakMap<Item, StandingPart>();

function once(item: Item, make: (item: Item) => StandingPart): StandingPart {
  const part = made.get(item) ?? (bodyReaderOf(item) ? lazyPart(item, make) : make(item));
  made.set(item, part);
  return part;
}

function preferencePart(item: Item): StandingPart {
  const { kind, key, body, fromVersion: version } = item;
  const label = `- preference ${codeSpan(key)}${byAuthors(item)}`;
  const whole = quotedValue(label, body ?? null);
  const ref = refOf({ kind, key });
  const shortening = { heading: `${label} ${codeSpan(ref)}`, value: body ?? null };
  return {
    ...{ ref, section: 'preferences', version, whole, brief: whole },
    ...{ pinned: true, shortening },
  };
}

function globalPart(item: Item): StandingPart {
  const { kind, key, body, fromVersion: version } = item;
  const label = `- global ${codeSpan(key)}${byAuthors(item)}`;
  const whole = quotedValue(label, body ?? null);
  const ref = refOf({ kind, key });
  const part = { ref, section: 'global', version, whole } as const;
  if (constraint.test(key)) {
    const shortening = { heading: `${label} ${codeSpan(ref)}`, value: body ?? null };
    return { ...part, brief: whole, pinned: true, shortening };
  }
  const digest = `${label}, digest:\n${quoted(digestOf(body ?? null, digestRoom))}`;
  return { ...part, brief: shorter(digest, whole), pinned: false };
}

function blockerPart(item: Item): StandingPart {
  return workPart(item, 'open blocker', { pinned: true });
}

function inputRequestPart(item: Item): StandingPart {
  return workPart(item, 'input asked for', { entry: renderInputRequest(item) });
}

function issuePart(item: Item): StandingPart {
  return workPart(item, 'open issue', { entry: renderIssue(item) });
}

function handoverPart(item: Item): StandingPart {
  const entry = renderHandover(item);
  const { priority, to } = entry;
  const label = `open handover to ${codeSpan(String(to))}, ${String(priority)}`;
  return workPart(item, label, { entry, pinned: priority === 'critical' });
}

function taskPart(item: Item): StandingPart {
  const entry = renderTask(item);
  const part = workPart(item, `task ${String(entry['status'])}`, { entry });
  return { ...part, section: 'tasks' };
}

/** What rendering adds to a payload: who and when is said by the events. */
const added = [
  'timestamp',
  'version',
  'agentId',
  'plannedBy',
  'startedAt',
  'completedAt',
  'completedBy',
  'status',
];

function workPart(
  item: Item,
  label: string,
  { entry, pinned = false }: Readonly<{ entry?: JsonObject; pinned?: boolean }>,
): StandingPart {
  const { kind, key, body, fromVersion: version } = item;
  const payload = entry ?? (isJsonObject(body) ? body : {});
  const members = Object.entries(payload).filter(
    ([name, value]) => !added.includes(name) && value !== null && !isEmpty(value),
  );
  const ref = refOf({ kind, key });
  const heading = `- ${label} ${codeSpan(ref)}${byAuthors(item)}`;
  const whole = `${heading}\n${quotedMembers(members)}`;
  const shortening = { heading, value: Object.fromEntries(members) };
  const part = {
    ref,
    item: `${kind} ${key}`,
    section: 'work',
    version,
    whole,
    shortening,
  } as const;
  const brief = pinned ? whole : shorter(lineWith(heading, shortening.value), whole);
  return { ...part, brief, pinned };
}

function breakerPart(item: Item): readonly StandingPart[] {
  const facts = loopFacts(item);
  const status = breakerStatusOf(facts);
  if (status === 'ok') return [];
  // Nobody has said of a loop that it has gone too far, unless it was tripped.
  const by = facts.tripped ? byAuthors(item) : '';
  const whole = `- circuit breaker ${codeSpan(item.key)}: ${status}${by}, ${facts.current} of ${facts.max} iterations\n`;
  const version = item.fromVersion;
  return [{ ref: refOf(item), section: 'work', version, whole, brief: whole, pinned: true }];
}

function statePart(activity: Activity): StandingPart {
  const { whole, shortest } = stateTexts(activity);
  const part = { ref: null, section: 'state', version: 0, pinned: true } as const;
  return { ...part, whole, brief: whole, shortest };
}

function byKey(left: Item, right: Item): number {
  return left.key < right.key ? -1 : 1;
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}
