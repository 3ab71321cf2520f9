import {
  type JsonObject,
  AppendTooLargeError,
  inWords,
  maxAppendBytes,
  isJsonObject,
} from '#event-sourcing';

import { documentMembers } from '../context.document.js';
import { type Issue, NotExpressibleError } from '../context.errors.js';
import { member, only, pointerStep } from '../json.js';
import { maxMembers, namedValues } from '../payload.schema.js';
import { artifactsDifference } from './artifact.difference.js';
import { decisionsDifference } from './decision.difference.js';
import { handoversDifference, inputRequestsDifference } from './handover.difference.js';
import { listDifference } from './list.difference.js';
import { outputsDifference } from './output.difference.js';
import {
  type Change,
  type PartComparison,
  type PartDifference,
  type PlacedCommand,
  commanded,
  noDifference,
  refused,
  refusedBySchema,
  refusing,
  unknownIssue,
} from './part.difference.js';
import {
  dependenciesDifference,
  requirementsDifference,
  risksDifference,
} from './plan.difference.js';
import { recordsDifference, reviewsDifference, signalsDifference } from './story.difference.js';
import { iterationsDifference } from './iteration.difference.js';
import { phasesDifference } from './phase.difference.js';
import { tasksDifference } from './task.difference.js';
import { changesIn, patchBetween, removalsIn, unwritable } from './value.difference.js';

/** The comparison stops after this number of faults. */
export const maxIssues = 100;

/**
 * A lower bound for the metadata of an event: its hash and the previous one take 128 characters by themselves. With it,
 * an append that would be too large is detected early.
 */
const minEventBytes = 256;

/**
 * Computes, in small steps, the commands that turn the document `current` into `sent`. Members and entries that `sent`
 * lacks stay unchanged; `null` removes a preference, and nothing else can be removed; derived members must be equal or
 * absent, except for the progress of children. `newId` creates the ids of entries that are sent without one.
 *
 * Throws {@link NotExpressibleError} with at most {@link maxIssues} places that no event can change, and
 * {@link AppendTooLargeError} as soon as the commands exceed the size of an append.
 */
export function* differences(
  current: JsonObject,
  sent: JsonObject,
  newId: () => string,
): Generator<void, readonly PlacedCommand[]> {
  const found = new ChangeCollector();
  for (const change of changesBetween(current, sent, newId)) {
    yield;
    if (change) found.add(change);
    if (found.issues.length === maxIssues) break;
  }
  if (found.issues.length > 0) throw new NotExpressibleError(found.issues);
  return found.commands;
}

class ChangeCollector {
  readonly commands: PlacedCommand[] = [];
  readonly issues: Issue[] = [];
  #bytes = 0;

  add(change: Change): void {
    if (change.issue) {
      this.issues.push(change.issue);
      return;
    }
    this.commands.push(change);
    this.#bytes += minEventBytes + JSON.stringify(change.command.data).length;
    if (this.#bytes > maxAppendBytes) throw new AppendTooLargeError(this.#bytes);
  }
}

function* changesBetween(
  current: JsonObject,
  sent: JsonObject,
  newId: () => string,
): Generator<Change | undefined> {
  const parts = writableParts(newId);
  for (const name of Object.keys(sent)) {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    const [known, at] = [member(current, name), pointerStep(name)];
    if (part) yield* part(known, sent[name] ?? null, at);
    else if (known !== undefined)
      yield* advised(changesIn(known, sent[name] ?? null, at), adviceOn(name));
    else yield { issue: unknownMemberIssue(name, sent, at) };
  }
}

const creationMembers = [
  'contextId',
  'workspace',
  'title',
  'createdAt',
  'createdBy',
  'parent',
  'continues',
  'metadata',
  'workflow',
  'input',
];

/** Explains why a member cannot be written with the document, and what to do instead. */
function adviceOn(member: string): string {
  if (creationMembers.includes(member))
    return 'is set when a context is created, and cannot be changed: leave it out';
  if (member === 'status' || member === 'outcome')
    return 'changes when the context is closed or reopened: leave it out, and use POST .../close or .../reopen';
  return 'is derived from events: leave it out';
}

function* advised(changes: PartDifference, advice: string): PartDifference {
  for (const change of changes)
    yield change?.issue?.detail === unwritable
      ? { issue: { ...change.issue, detail: advice } }
      : change;
}

function writableParts(newId: () => string): Readonly<Record<string, PartComparison>> {
  return {
    globalContext: valuesDifference('SetGlobalContext'),
    userPreferences: valuesDifference('SetPreferences'),
    stepOutputs: outputsDifference,
    tasks: tasksDifference(newId),
    completedPhases: phasesDifference,
    children: childrenDifference,
    executionSummary: () => noDifference,
    iterationCounts: iterationsDifference,
    decisionHistory: decisionsDifference,
    artifactReferences: artifactsDifference(newId),
    handoverNotes: handoversDifference(newId),
    inputRequests: inputRequestsDifference(newId),
    reviewHistory: reviewsDifference(newId),
    requirements: requirementsDifference(newId),
    risks: risksDifference(newId),
    dependencies: dependenciesDifference(newId),
    records: recordsDifference(newId),
    signals: signalsDifference,
    openIssues: derivedEntries,
    summaries: derivedEntries,
  };
}

/**
 * Children have separate versions and may have progressed since the document was read, so their progress is not
 * compared. The members that identify a child must be equal.
 */
const childrenDifference: PartComparison = (current, sent, at) =>
  listDifference(current, sent, {
    at,
    list: {
      id: 'contextId',
      changed: (known, child, place) =>
        changesIn(known, only(child, identifyingChildMembers), place),
      added: refusedEntry,
    },
  });

const identifyingChildMembers = ['contextId', 'title', 'createdAt'];

/** Derived entries: each entry that is sent must equal a current one. */
const derivedEntries: PartComparison = (current, sent, at) =>
  listDifference(current, sent, { at, list: { changed: changesIn, added: refusedEntry } });

function refusedEntry(_sent: JsonObject, at: string): PartDifference {
  return refused(at, unwritable);
}

const unknown = 'is not a member of a context';

/** Suggests a similar name if there is one. All names are too many to list. */
function unknownMemberIssue(name: string, sent: JsonObject, at: string): Issue {
  const issue = unknownIssue(name, unusedNames(sent), { at, fault: unknown });
  return issue.suggestion === undefined ? { ...issue, detail: `${unknown}: leave it out` } : issue;
}

function unusedNames(sent: JsonObject): readonly string[] {
  return documentMembers.filter((name) => !Object.hasOwn(sent, name));
}

function valuesDifference(type: 'SetGlobalContext' | 'SetPreferences'): PartComparison {
  return function* (current, sent, at) {
    if (!isJsonObject(sent)) return yield* refused(at, 'must be an object');
    const before = isJsonObject(current) ? current : {};
    const isGlobal = type === 'SetGlobalContext';
    const values = yield* patchBetween(before, sent, { removesNull: !isGlobal });
    if (isGlobal && (yield* refusing(removalsIn(before, values, at)))) return;
    const parsed = namedValues.safeParse(values, inWords);
    if (!parsed.success)
      return yield* refusedBySchema(parsed.error, at, { schema: namedValues, sent: values });
    for (const part of partsOf(values))
      yield* commanded({ type, data: { values: part } }, at, { keyed: true });
  };
}

/** Splits the values so that no event sets more than `maxMembers`. */
function* partsOf(values: JsonObject): Generator<JsonObject> {
  const members = Object.entries(values);
  for (let from = 0; from < members.length; from += maxMembers) {
    const isSinglePart = members.length <= maxMembers;
    yield isSinglePart ? values : Object.fromEntries(members.slice(from, from + maxMembers));
  }
}
