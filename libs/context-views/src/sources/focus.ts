import { type JsonValue } from '#event-sourcing';
import { type Item, type ItemKind, basisIn, loopFacts } from '#shared-context';

import { type Contents, viewSource } from './view-source.js';
import { type ViewSource } from '../compose/layout.js';
import { TimelineIndex } from '../compose/timeline-index.js';
import { type Entry } from '../entries/entry.js';
import { rollupRef } from '../entries/item-ref.js';
import { memberOf } from '../entries/json-member.js';
import { reworkNames } from '../entries/rework-subject.js';
import { codeSpan } from '../entries/quoted-text.js';
import { type CurrentStateSection } from '../entries/current-state-section.js';

/**
 * For the agent that takes over: the current state, open work, notes to it, and changes since version `since`, which
 * defaults to its last read. Agent null: for no particular agent.
 */
export function handoverSource(
  contents: Contents,
  { agent, since }: Readonly<{ agent: string | null; since: number | null }>,
): ViewSource {
  const source = viewSource(contents);
  const from = since ?? lastRead(contents.items, agent);
  const isIncluded = ({ pinned, kind, version, members }: Entry) =>
    pinned || version > from || (kind === 'handover' && members['to'] === agent);
  const changes = from < 1 ? '' : `, what changed since v${from}; before: ${rollupRef(1, from)}`;
  const to = agent === null ? '' : ` to ${codeSpan(agent)}`;
  return {
    header: `${source.header}# handover${to}${changes}\n`,
    timeline: source.timeline.filter(isIncluded),
    currentState: pinNotes(source.currentState, contents.items, agent),
  };
}

/**
 * Everything that is needed to redo a subject: comments of reviewers, earlier attempts with reasons, constraints, and
 * attempts left.
 */
export function reworkSource(contents: Contents, subject: string): ViewSource {
  const { items, isShown = () => true } = contents;
  const names = reworkNames(items.filter(isShown), subject) ?? new Set([subject]);
  const reviews = new Set(
    items
      .filter(({ kind, body }) => kind === 'review' && isNamed(memberOf(body, 'artifact'), names))
      .map(({ key }) => key),
  );
  const issues = (item: Item) =>
    item.kind === 'issue' && reviews.has(String(item.state['reviewId']));
  const source = viewSource({
    ...contents,
    items: items.filter((item) => item.kind !== 'issue' || issues(item)),
  });
  const isIncluded = (entry: Entry) =>
    entry.pinned ||
    names.has(entry.key) ||
    (entry.kind === 'review' && reviews.has(entry.key)) ||
    ['stepId', 'taskId', 'subject'].some((name) => isNamed(entry.members[name], names));
  const attempts = attemptsLeft(items, subject, names);
  return {
    header: `${source.header}# rework of ${codeSpan(subject)}${attempts}\n`,
    timeline: source.timeline.filter(isIncluded),
    currentState: source.currentState,
  };
}

/** For a parent: its own content, and each of its children as one entry. */
export function retrospectiveSource(contents: Contents, children: readonly Entry[]): ViewSource {
  const source = viewSource(contents);
  return {
    ...source,
    header: `${source.header}# retrospective over ${children.length} children\n`,
    timeline: TimelineIndex.of([...source.timeline.entries, ...children]),
  };
}

/** The newest version that an agent's work cites as read; if it cites none, the version that the agent wrote last. */
function lastRead(items: readonly Item[], agent: string | null): number {
  if (agent === null) return 0;
  const own = items.filter(
    ({ state }) => state['agentId'] === agent || state['startedBy'] === agent,
  );
  const cited = own.flatMap(readBefore);
  const versions = cited.length > 0 ? cited : own.map((item) => writtenAt(item, agent));
  return versions.reduce((newest, version) => Math.max(newest, version), 0);
}

/** Items that a fork inherited cite versions of another context, and imports may cite versions that never existed. */
function readBefore(item: Item): readonly number[] {
  const read = basisIn(item) ?? 0;
  return read >= 1 && read < item.fromVersion ? [read] : [];
}

/**
 * The version at which the agent wrote the item. The agent may not have read later changes by others, such as
 * completing it.
 */
function writtenAt({ kind, state, fromVersion }: Item, agent: string): number {
  const isItsOwn = state['agentId'] === agent && kind !== 'phase';
  const version = state[isItsOwn ? 'version' : 'startedVersion'];
  return typeof version === 'number' ? version : fromVersion;
}

/** Notes to the next agent are not shortened. */
function pinNotes(
  parts: readonly CurrentStateSection[],
  items: readonly Item[],
  agent: string | null,
): readonly CurrentStateSection[] {
  const kinds: ReadonlySet<ItemKind> = new Set(['handover', 'input-request']);
  const notes = new Set(
    items.filter(
      ({ kind, state }) => kinds.has(kind) && [state['to'], state['from']].includes(agent),
    ),
  );
  return parts.map((part) =>
    part.item && notes.has(part.item) ? part.with({ brief: part.whole, pinned: true }) : part,
  );
}

function isNamed(value: JsonValue | undefined, names: ReadonlySet<string>): boolean {
  return typeof value === 'string' && names.has(value);
}

/** The number of attempts left in each loop of the subject. */
function attemptsLeft(items: readonly Item[], subject: string, names: ReadonlySet<string>): string {
  return items
    .filter(({ kind, key }) => kind === 'loop' && names.has(key))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map((loop) => {
      const { current, max } = loopFacts(loop);
      const of = loop.key === subject ? '' : ` of ${codeSpan(loop.key)}`;
      return `, attempts left${of}: ${Math.max(0, max - current)} of ${max}`;
    })
    .join('');
}
