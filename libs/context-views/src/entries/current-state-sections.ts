import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';
import {
  type Activity,
  type Item,
  type ItemKind,
  activityOf,
  bodyReaderOf,
  breakerStatusOf,
  finish,
  loopFacts,
  renderHandover,
  renderInputRequest,
  renderIssue,
  renderTask,
} from '#shared-context';

import { Reading, digestIn } from '../digests/index.js';
import { byAuthors } from './authors.js';
import { refOf } from './item-ref.js';
import { runPart } from './run-part.js';
import { codeSpan, quoted, quotedMembers, quotedValue } from './quoted-text.js';
import {
  type PartFacts,
  CurrentStateSection,
  lazyPart,
  lineWith,
  shorter,
} from './current-state-section.js';
import { stateTexts } from './state-text.js';

const digestRoom = 600;
const constraint = /constraint/i;

/** The current state in a fixed order: preferences, global context, open work, state. */
export function currentStateSections(
  items: readonly Item[],
  activity: Activity = activityOf(items),
): readonly CurrentStateSection[] {
  return finish(currentStateSectionsInSteps(items, activity));
}

/**
 * As {@link currentStateSections}, in steps, because there may be many with long texts. `like`: parts of mostly the
 * same items; those of the same items are reused.
 */
export function* currentStateSectionsInSteps(
  items: readonly Item[],
  activity: Activity,
  like: readonly CurrentStateSection[] = [],
): Generator<void, readonly CurrentStateSection[]> {
  const ofKind = (kind: ItemKind) => items.filter((item) => item.kind === kind).sort(byKey);
  const oldest = (kind: ItemKind) => ofKind(kind).sort((a, b) => a.fromVersion - b.fromVersion);
  const open = (kind: ItemKind) => oldest(kind).filter(({ state }) => state['status'] === 'open');
  const tasks = oldest('task').filter(({ state }) => state['status'] !== 'completed');
  const known = new Map(like.map((part) => [part.item, part]));
  const parts: CurrentStateSection[] = [];
  for (const [found, make] of [
    [ofKind('preference'), preferencePart],
    [ofKind('global'), globalPart],
    [open('blocker'), blockerPart],
    [open('handover'), handoverPart],
    [open('input-request'), inputRequestPart],
    [open('issue'), issuePart],
    [tasks, taskPart],
  ] as const)
    for (const item of found) {
      parts.push(known.get(item) ?? new CurrentStateSection(yield* factsOf(item, make)));
      yield;
    }
  const breakers = ofKind('loop').flatMap(breakerPart);
  const others = [...breakers, ...runPart(items), statePart(activity)];
  return [...parts, ...others.map((facts) => new CurrentStateSection(facts))];
}

/** Builds a part in steps. */
type Make = (item: Item) => Generator<void, PartFacts>;

function* factsOf(item: Item, make: Make): Generator<void, PartFacts> {
  return yield* bodyReaderOf(item) ? lazyPart(item, make) : make(item);
}

function* preferencePart(item: Item): Generator<void, PartFacts> {
  const { kind, key, body, fromVersion: version } = item;
  const label = `- preference ${codeSpan(key)}${byAuthors(item)}`;
  const whole = quotedValue(label, body ?? null);
  const ref = refOf({ kind, key });
  const shortening = { heading: `${label} ${codeSpan(ref)}`, value: body ?? null };
  return {
    ref,
    item,
    section: 'preferences',
    version,
    whole,
    brief: whole,
    pinned: true,
    shortening,
  };
}

function* globalPart(item: Item): Generator<void, PartFacts> {
  const { kind, key, body, fromVersion: version } = item;
  const label = `- global ${codeSpan(key)}${byAuthors(item)}`;
  const whole = quotedValue(label, body ?? null);
  const ref = refOf({ kind, key });
  const part = { ref, item, section: 'global', version, whole } as const;
  if (constraint.test(key)) {
    const shortening = { heading: `${label} ${codeSpan(ref)}`, value: body ?? null };
    return { ...part, brief: whole, pinned: true, shortening };
  }
  const reading = yield* Reading.inSteps(body ?? null);
  const digest = `${label}, digest:\n${quoted(digestIn(reading, digestRoom))}`;
  return { ...part, brief: shorter(digest, whole), pinned: false };
}

function* blockerPart(item: Item): Generator<void, PartFacts> {
  return yield* workPart(item, 'open blocker', { pinned: true });
}

function* inputRequestPart(item: Item): Generator<void, PartFacts> {
  // prose-ignore: text of views, whose bytes are pinned
  return yield* workPart(item, 'input asked for', { entry: renderInputRequest(item) });
}

function* issuePart(item: Item): Generator<void, PartFacts> {
  return yield* workPart(item, 'open issue', { entry: renderIssue(item) });
}

function* handoverPart(item: Item): Generator<void, PartFacts> {
  const entry = renderHandover(item);
  const { priority, to } = entry;
  const label = `open handover to ${codeSpan(String(to))}, ${String(priority)}`;
  return yield* workPart(item, label, { entry, pinned: priority === 'critical' });
}

function* taskPart(item: Item): Generator<void, PartFacts> {
  const entry = renderTask(item);
  const part = yield* workPart(item, `task ${String(entry['status'])}`, { entry });
  return { ...part, section: 'tasks' };
}

/** Members that rendering adds to a payload: the events already state author and time. */
const addedMembers = [
  'timestamp',
  'version',
  'agentId',
  'plannedBy',
  'startedAt',
  'completedAt',
  'completedBy',
  'status',
];

function* workPart(
  item: Item,
  label: string,
  { entry, pinned = false }: Readonly<{ entry?: JsonObject; pinned?: boolean }>,
): Generator<void, PartFacts> {
  const { kind, key, body, fromVersion: version } = item;
  const payload = entry ?? (isJsonObject(body) ? body : {});
  const members = Object.entries(payload).filter(
    ([name, value]) => !addedMembers.includes(name) && value !== null && !isEmpty(value),
  );
  const ref = refOf({ kind, key });
  const heading = `- ${label} ${codeSpan(ref)}${byAuthors(item)}`;
  const whole = `${heading}\n${quotedMembers(members)}`;
  const shortening = { heading, value: Object.fromEntries(members) };
  const part = {
    ref,
    item,
    section: 'work',
    version,
    whole,
    shortening,
  } as const;
  if (pinned) return { ...part, brief: whole, pinned };
  const reading = yield* Reading.inSteps(shortening.value);
  return { ...part, brief: shorter(lineWith(heading, reading), whole), pinned };
}

function breakerPart(item: Item): readonly PartFacts[] {
  const facts = loopFacts(item);
  const status = breakerStatusOf(facts);
  if (status === 'ok') return [];
  // A limit has an author only if the breaker was tripped.
  const by = facts.tripped ? byAuthors(item) : '';
  const whole = `- circuit breaker ${codeSpan(item.key)}: ${status}${by}, ${facts.current} of ${facts.max} iterations\n`;
  const version = item.fromVersion;
  return [{ ref: refOf(item), section: 'work', version, whole, brief: whole, pinned: true }];
}

function statePart(activity: Activity): PartFacts {
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
