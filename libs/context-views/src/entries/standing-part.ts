import { type JsonObject, type JsonValue } from '#event-sourcing';
import {
  type Activity,
  type Item,
  type ItemKind,
  activityOf,
  breakerStatusOf,
  loopFacts,
  renderCurrentState,
  renderHandover,
  renderInputRequest,
  renderIssue,
  renderTask,
} from '#shared-context';

import { digestOf, lineOf } from '../digests/index.js';
import { refOf } from './item-ref.js';
import { isJsonObject } from './json-member.js';
import { type Section } from './section.js';
import { inLine, labelled, quoted } from './shown-text.js';

/** Something that holds now and changes often: told behind the timeline. */
export type StandingPart = Readonly<{
  /** Of the item it is; null for what is made of many. */
  ref: string | null;
  /** Kind and key of that item. */
  item?: string;
  section: Section;
  /** The version that made it what it is; 0 for what is made of many. */
  version: number;
  whole: string;
  /** The same text where nothing of it may give way. */
  brief: string;
  pinned: boolean;
}>;

/** The newest version of what these parts tell of; 1 where there is none. */
export function newestOf(parts: readonly StandingPart[]): number {
  return parts.reduce((newest, { version }) => Math.max(newest, version), 1);
}

const lineRoom = 120;
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
    ...ofKind('preference').map(preferencePart),
    ...ofKind('global').map(globalPart),
    ...open('blocker').map((item) => workPart(item, 'open blocker', { pinned: true })),
    ...open('handover').map(handoverPart),
    ...open('input-request').map((item) =>
      workPart(item, 'input asked for', { entry: renderInputRequest(item) }),
    ),
    ...open('issue').map((item) => workPart(item, 'open issue', { entry: renderIssue(item) })),
    ...oldest('task')
      .filter(({ state }) => state['status'] !== 'completed')
      .map(taskPart),
    ...ofKind('loop').flatMap(breakerPart),
    statePart(activity),
  ];
}

function preferencePart({ kind, key, body, fromVersion: version }: Item): StandingPart {
  const whole = `- ${labelled(`preference ${inLine(key)}`, body ?? null)}`;
  return {
    ref: refOf({ kind, key }),
    section: 'preferences',
    version,
    whole,
    brief: whole,
    pinned: true,
  };
}

function globalPart({ kind, key, body, fromVersion: version }: Item): StandingPart {
  const label = `- global ${inLine(key)}`;
  const whole = labelled(label, body ?? null);
  const pinned = constraint.test(key);
  const digest = `${label}, digest:\n${quoted(digestOf(body ?? null, digestRoom))}`;
  const brief = pinned || digest.length >= whole.length ? whole : digest;
  return { ref: refOf({ kind, key }), section: 'global', version, whole, brief, pinned };
}

function handoverPart(item: Item): StandingPart {
  const entry = renderHandover(item);
  const { priority, to } = entry;
  const label = `open handover to ${inLine(String(to))}, ${String(priority)}`;
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
  'status',
];

function workPart(
  { kind, key, body, fromVersion: version }: Item,
  label: string,
  { entry, pinned = false }: Readonly<{ entry?: JsonObject; pinned?: boolean }>,
): StandingPart {
  const payload = entry ?? (isJsonObject(body) ? body : {});
  const members = Object.entries(payload).filter(
    ([name, value]) => !added.includes(name) && value !== null && !isEmpty(value),
  );
  const ref = refOf({ kind, key });
  const told = members.map(([name, value]) => labelled(`  ${inLine(name)}`, value)).join('');
  const whole = `- ${label} ${ref}\n${told}`;
  const line = `- ${label} ${ref}: ${inLine(lineOf(Object.fromEntries(members), lineRoom))}\n`;
  const brief = pinned || line.length >= whole.length ? whole : line;
  return { ref, item: `${kind} ${key}`, section: 'work', version, whole, brief, pinned };
}

function breakerPart(item: Item): readonly StandingPart[] {
  const facts = loopFacts(item);
  const status = breakerStatusOf(facts);
  if (status === 'ok') return [];
  const whole = `- circuit breaker ${inLine(item.key)}: ${status}, ${facts.current} of ${facts.max} iterations\n`;
  const version = item.fromVersion;
  return [{ ref: refOf(item), section: 'work', version, whole, brief: whole, pinned: true }];
}

function statePart(activity: Activity): StandingPart {
  const state = renderCurrentState(activity);
  const told = Object.entries(state).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${inLine(String(value))}`],
  );
  const whole = `## state: ${told.join(', ')}\n`;
  return { ref: null, section: 'state', version: 0, whole, brief: whole, pinned: true };
}

function byKey(left: Item, right: Item): number {
  return left.key < right.key ? -1 : 1;
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}
