import { type ItemChange, type ItemLookup } from '../item.js';
import { type ContextCreation, creationIn } from '../life/life.fold.js';
import { type Activity, noActivity } from '../outcome/activity.js';
import { advanceActivity } from '../steps/step.activity.js';
import { baseOf } from '../lineage/lineage.js';

import { type ContextId } from './context-stream.js';
import { type DecodedEvent } from './decode-event.js';

/** What is known of a context as a whole at one version; bounded, one row in `contexts`. */
export type ContextHead = ContextId &
  Readonly<{
    version: number;
    /** Hash of the newest event, which the next one chains to. */
    hash: string;
    createdAt: string;
    createdBy: string;
    /** Idempotency key hash of the creating request. */
    createKey: string | null;
    modifiedAt: string;
    modifiedBy: string;
    title: string | null;
    status: string;
    workflowId: string | null;
    parent: string | null;
    /** Payload bytes and estimated tokens of all events so far. */
    bytes: number;
    tokens: number;
    activity: Activity;
    /** The version of its newest restore, or of its fork; null while all its items are its own. */
    lineage: number | null;
    /** Whether an import sealed any of its events again: their authors and times are what the importer states. */
    imported: boolean;
  }>;

type Life = Pick<ContextHead, 'title' | 'status' | 'workflowId' | 'parent'>;

/** The items before an event, and the changes that the event makes, if they are known. */
type Before = Readonly<{ lookup: ItemLookup; changes?: readonly ItemChange[] }>;

/**
 * `before`: the items before the event; `activity` is right where they hold the event's step. Of a fork and a restore
 * they are those of the base, and the activity there is the caller's to put in.
 */
export function advanceHead(
  id: ContextId,
  head: ContextHead | undefined,
  event: DecodedEvent,
  { lookup: before, changes }: Before,
): ContextHead {
  const earlier = head ?? unborn(event);
  return {
    workspace: id.workspace,
    contextId: id.contextId,
    version: event.version,
    hash: event.envelope.hash,
    createdAt: earlier.createdAt,
    createdBy: earlier.createdBy,
    createKey: earlier.createKey,
    modifiedAt: event.recordedAt,
    modifiedBy: event.principal,
    ...advanceLife(earlier, event, before),
    bytes: earlier.bytes + event.bytes,
    tokens: earlier.tokens + event.tokens,
    activity: advanceActivity(earlier.activity, event, before, changes),
    lineage: baseOf(id.contextId, event) ? event.version : earlier.lineage,
    imported: earlier.imported || isImported(event, earlier),
  };
}

/**
 * Only events that an import sealed again have an origin with a time, and handovers that the creation of a context carries
 * over from another one.
 */
function isImported(
  event: DecodedEvent,
  { createdAt, createdBy }: Pick<ContextHead, 'createdAt' | 'createdBy'>,
): boolean {
  if (typeof event.origin?.timestamp !== 'string') return false;
  const isCarried = event.type === 'HandoverNoted' && event.data.carriedFrom !== undefined;
  return !isCarried || event.recordedAt !== createdAt || event.principal !== createdBy;
}

/** What a context is before its first event, which says when and by whom it was created. */
function unborn({ recordedAt, principal, idempotency }: DecodedEvent) {
  return {
    createdAt: recordedAt,
    createdBy: principal,
    createKey: idempotency ? idempotency.key : null,
    title: null,
    status: 'open',
    workflowId: null,
    parent: null,
    bytes: 0,
    tokens: 0,
    activity: noActivity,
    lineage: null,
    imported: false,
  };
}

function advanceLife(
  { title, status, workflowId, parent }: Life,
  event: DecodedEvent,
  before: ItemLookup,
): Life {
  if (event.type === 'ContextCreated') return created(event.data);
  if (event.type === 'ContextForked') return created(creationIn(before));
  if (event.type === 'ContextClosed') return { title, status: 'closed', workflowId, parent };
  if (event.type === 'ContextReopened') return { title, status: 'open', workflowId, parent };
  return { title, status, workflowId, parent };
}

function created({ title, workflow, parent }: ContextCreation): Life {
  return {
    title: title ?? null,
    status: 'open',
    workflowId: workflow?.definitionId ?? null,
    parent: parent ?? null,
  };
}
