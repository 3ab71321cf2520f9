import { GetContextController } from '../../../apps/api/src/contexts/get-context.controller.js';
import { buildOpenApi } from '../../../apps/api/src/documentation/openapi.js';
import { endpointsOf } from '../../../apps/api/src/http/endpoint.js';
import { planControllers } from '../../../apps/api/src/plan/plan.controllers.js';
import { isJsonObject } from '../../../libs/event-sourcing/src/index.js';
import { renderView, tokenizerOf, viewSource } from '../../../libs/context-views/src/index.js';
import {
  type Search,
  matchesSearch,
  parseWordQuery,
  splitPattern,
} from '../../../libs/read-models/src/index.js';
import {
  type Item,
  type NewContextEvent,
  type RecordedContextEvent,
  clientEvent,
  commandFromEvent,
  compareContexts,
  contextDecider,
  eventLine,
  createdIds,
  renderDocument,
  searchedKinds,
} from '../../../libs/shared-context/src/index.js';

/*
 * Prints the results of an event that a client sends to this copy of the sources. It names neither the event nor its items, so that it
 * compiles with the unchanged sources.
 */
const [stated = '', path = '', member = ''] = process.argv.slice(2);

const facts = {
  workspace: 'default',
  contextId: 'c',
  version: 2,
  lastModifiedAt: '2026-01-01T00:00:02.000Z',
  lastModifiedBy: 'tester',
  size: { events: 2, bytes: 0, tokens: 0 },
};

const document = buildOpenApi([...planControllers, GetContextController].flatMap(endpointsOf), '1');

process.stdout.write(
  JSON.stringify({
    isDocumented: Object.hasOwn(Object(document.paths), path),
    documentedMember: documentedMember(),
    ...outcomeOf(stated),
  }),
);

function outcomeOf(text: string) {
  const { data: event } = clientEvent.safeParse(JSON.parse(text));
  if (!event) return { isAccepted: false };
  const created = contextDecider.evolve(
    contextDecider.initialState(),
    record({ type: 'ContextCreated', data: {}, visibility: 'record' }, 1),
  );
  const command = commandFromEvent(event, () => 'made');
  const decided = contextDecider.decide(command, created);
  const recorded = decided.map((one, at) => record(one, at + 2));
  const after = recorded.reduce((state, one) => state.apply(one), created);
  const items = [...after.values()];
  const shown = renderDocument(items, facts)[member] ?? null;
  return {
    isAccepted: true,
    decided: decided.map(({ type, data }) => ({ type, data })),
    repeated: contextDecider.decide(command, after),
    lines: recorded.map(eventLine),
    ids: recorded.map(createdIds),
    member: shown,
    changed: compareContexts(created.values(), items).entriesChanged,
    view: viewOf(items),
    found: {
      byPart: isFound(items, { parts: splitPattern({ [member]: shown }) }),
      byOtherPart: isFound(items, { parts: splitPattern({ [member]: [{ other: true }] }) }),
      byWord: isFound(items, { words: parseWordQuery('online') }),
      byOtherWord: isFound(items, { words: parseWordQuery('offline') }),
    },
  };
}

function viewOf(items: Parameters<typeof viewSource>[0]['items']) {
  const view = renderView(
    viewSource({ contextId: 'c', items, sections: new Set(['plan']) }),
    undefined,
    { maxTokens: 10_000, tokenizer: tokenizerOf('o200k_base'), newest: 3, overflow: 'refuse' },
  );
  return 'text' in view ? view.text : '';
}

/** Whether a search that loads only the kinds of items in its scope finds these. */
function isFound(items: readonly Item[], search: Search): boolean {
  return matchesSearch(
    search,
    items.filter(({ kind }) => searchedKinds.includes(kind)),
  );
}

/** The description of the member of a context's document in the OpenAPI document. */
function documentedMember(): unknown {
  const answer = ['paths', '/v1/contexts/{contextId}', 'get', 'responses', '200'];
  const way = [...answer, 'content', 'application/json', 'schema', 'properties', member];
  return way.reduce<unknown>(
    (value, name) => (isJsonObject(value) ? value[name] : undefined),
    document,
  );
}

function record(event: NewContextEvent, version: number): RecordedContextEvent {
  return {
    eventId: `e${version}`,
    version,
    bytes: 0,
    recordedAt: new Date(Date.UTC(2026, 0, 1) + version * 1000).toISOString(),
    principal: 'tester',
    origin: null,
    trust: 'agent',
    idempotency: null,
    ...event,
  };
}
