import { type ItemChange, type ItemLookup } from '../item.js';
import { type ContextCreation, creationIn } from '../life/life.fold.js';
import { type Activity, noActivity } from '../outcome/activity.js';
import { advanceActivity } from '../steps/step.activity.js';
import { baseOf } from '../lineage/lineage.js';

import { type ContextId } from './context-stream.js';
import { type DecodedEvent } from './decode-event.js';

/** The facts about a context as a whole at one version. The size is bounded; one row in `contexts`. */
export type ContextHead = ContextId &
  Readonly<{
    version: number;
    /** Hash of the newest event, to which the next event is chained. */
    hash: string;
    createdAt: string;
    createdBy: string;
    /** Hash of the idempotency key of the creating request. */
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
    /** The version of its newest restore, or of its fork; null if there is neither. */
    lineage: number | null;
    /** Whether any of its events was imported, so that the importer states its author and time. */
    imported: boolean;
  }>;

type Life = Pick<ContextHead, 'title' | 'status' | 'workflowId' | 'parent'>;

/** The items before an event, and the changes of the event, if the caller has them already. */
type StateBefore = Readonly<{ lookup: ItemLookup; changes?: readonly ItemChange[] }>;

/**
 * The head after an event. `before` must include the items that the event changes. For a fork or a restore, `before`
 * has the items of the base, and the caller sets the activity.
 */
export function advanceHead(
  id: ContextId,
  head: ContextHead | undefined,
  event: DecodedEvent,
  { lookup: before, changes }: StateBefore,
): ContextHead {
  const earlier = head ?? initialHead(event);
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
 * Only imported events have an origin with a time, and handovers that the creation of a context carries over from
 * another context.
 */
function isImported(
  event: DecodedEvent,
  { createdAt, createdBy }: Pick<ContextHead, 'createdAt' | 'createdBy'>,
): boolean {
  if (typeof event.origin?.timestamp !== 'string') return false;
  const isCarried = event.type === 'HandoverNoted' && event.data.carriedFrom !== undefined;
  return !isCarried || event.recordedAt !== createdAt || event.principal !== createdBy;
}

/** The initial head; the first event of the context determines the time and author of its creation. */
function initialHead({ recordedAt, principal, idempotency }: DecodedEvent) {
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
  if (event.type === 'ContextCreated') return lifeOfCreation(event.data);
  if (event.type === 'ContextForked') return lifeOfCreation(creationIn(before));
  if (event.type === 'ContextClosed') return { title, status: 'closed', workflowId, parent };
  if (event.type === 'ContextReopened') return { title, status: 'open', workflowId, parent };
  return { title, status, workflowId, parent };
}

function lifeOfCreation({ title, workflow, parent }: ContextCreation): Life {
  return {
    title: title ?? null,
    status: 'open',
    workflowId: workflow?.definitionId ?? null,
    parent: parent ?? null,
  };
}
