import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { refOf } from '#context-views';
import { type JsonObject } from '#event-sourcing';
import {
  type DecodedEvent,
  absentDetail,
  authorOf,
  eventLine,
  isContent,
  shownVersion,
  touchedKeys,
} from '#shared-context';
import { isShown } from '#visibility';

import { ResourceNotFoundError } from '../errors.js';
import { decodeVersion, encodeCursor } from '../paging/cursor.js';
import { readEventsPage } from '../reading/events-page.js';
import {
  AuthorizedContextReader,
  type AuthorizedSnapshot,
  readable,
  responseMetadata,
} from '../reading/authorized-context-reader.js';
import { BasisOfDecision } from './basis-of-decision.js';
import { DecisionAuthor } from './decision-author.js';
import { OmittedItems } from './omitted-items.js';
import { FindKnowledgeQuery, type DecisionKnowledge } from './receipt.messages.js';

type Request = FindKnowledgeQuery['request'];

/** A decision as its reader sees it, and the event that recorded it; undefined if that belongs to another context. */
type DecisionSource = Readonly<{ snapshot: AuthorizedSnapshot; event: DecodedEvent | undefined }>;

/** Kinds that have no references: other items of the same event represent them. */
const unnamed: ReadonlySet<string> = new Set([
  'topic',
  'step',
  'output',
  'output-value',
  'patched',
  'newest-review',
  'newest-signal',
  'provided',
]);
const maxRefs = 50;

@QueryHandler(FindKnowledgeQuery)
export class FindKnowledgeHandler implements IQueryHandler<FindKnowledgeQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly author: DecisionAuthor,
    private readonly basis: BasisOfDecision,
    private readonly omittedItems: OmittedItems,
  ) {}

  async execute({ request }: FindKnowledgeQuery): Promise<DecisionKnowledge> {
    return readable(async () => {
      const { contextId, decisionId } = request;
      const source = await this.#decisionSource(request);
      const { snapshot, event } = source;
      const item = snapshot.state.get('decision', decisionId);
      const version = item?.state['version'];
      const about = {
        ...responseMetadata(snapshot),
        contextId,
        decisionId,
        decidedAt: shownVersion(typeof version === 'number' ? version : 1),
        agentId: event ? authorOf(event) : String(item?.state['agentId'] ?? ''),
      };
      return { ...about, ...(event ? await this.#known(request, snapshot, event) : inherited) };
    });
  }

  async #decisionSource(request: Request): Promise<DecisionSource> {
    const { decisionId } = request;
    const keys = [{ kind: 'decision', key: decisionId } as const];
    const snapshot = await this.contexts.read(request, { keys, bodies: false });
    const item = snapshot.state.get('decision', decisionId);
    if (!item || (snapshot.filter && !isShown(snapshot.filter, item)))
      throw new ResourceNotFoundError(absentDetail('decision', decisionId));
    return { snapshot, event: await this.author.recording(snapshot.head, item) };
  }

  async #known(request: Request, snapshot: AuthorizedSnapshot, event: DecodedEvent) {
    const { principal, cursor } = request;
    const { head, filter } = snapshot;
    const { shown, facts } = await this.basis.find(principal, event, head.contextId);
    // A receipt with a version after the event comes from a history that a restored backup replaced.
    const cited = facts && facts.version < event.version ? facts : undefined;
    const after = cited ? cited.version : await this.author.lastWrite(head, filter, event);
    const isFirst = cursor === undefined;
    return {
      basedOn: shown,
      recorded: { after, seen: cited ? ('no' as const) : ('unknown' as const) },
      leftOut: cited && isFirst ? await this.omittedItems.find(cited, snapshot, principal) : null,
      page: await this.#page(request, snapshot, { after, event }),
    };
  }

  /** The events of others in between; the author knew its own events. */
  async #page(
    { cursor, limit }: Request,
    { head, filter }: AuthorizedSnapshot,
    { after, event }: Readonly<{ after: number; event: DecodedEvent }>,
  ): Promise<DecisionKnowledge['page']> {
    const from = cursor === undefined ? after : Math.max(after, decodeVersion(cursor));
    const scope = { id: { workspace: head.workspace, contextId: head.contextId }, filter };
    const range = { after: from, until: event.version - 1, limit };
    const { events, next } = await readEventsPage(this.contexts.filteredReader, scope, range);
    return {
      items: events.filter((one) => authorOf(one) !== authorOf(event)).map(showRecorded),
      nextCursor: next === undefined ? null : encodeCursor([String(next)]),
    };
  }
}

/** For inherited decisions of a fork, only the first version of the fork is known. */
const inherited = {
  basedOn: null,
  recorded: { after: 0, seen: 'unknown' as const },
  leftOut: null,
  page: { items: [], nextCursor: null },
};

function showRecorded(event: DecodedEvent): JsonObject {
  const refs = touchedKeys(event).filter((key) => isContent(key) && !unnamed.has(key.kind));
  return {
    eventId: event.eventId,
    version: event.version,
    type: event.type,
    recordedAt: event.recordedAt,
    agentId: authorOf(event),
    refs: refs.slice(0, maxRefs).map(refOf),
    line: eventLine(event),
  };
}
