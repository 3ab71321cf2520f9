import { buildOpenApi } from '../../../apps/api/src/documentation/openapi.js';
import { endpointsOf } from '../../../apps/api/src/http/endpoint.js';
import { planControllers } from '../../../apps/api/src/plan/plan.controllers.js';
import { renderView, tokenizerOf, viewSource } from '../../../libs/context-views/src/index.js';
import {
  type NewContextEvent,
  type RecordedContextEvent,
  clientEvent,
  commandFromEvent,
  compareContexts,
  contextDecider,
  eventLine,
  madeIds,
  renderDocument,
} from '../../../libs/shared-context/src/index.js';

/*
 * Prints what this copy of the sources makes of an event that a client states. It names neither the event nor its items, so that it
 * compiles with the sources as they are.
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

process.stdout.write(JSON.stringify({ isDocumented: isDocumented(path), ...outcomeOf(stated) }));

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
  return {
    isAccepted: true,
    decided: decided.map(({ type, data }) => ({ type, data })),
    repeated: contextDecider.decide(command, after),
    lines: recorded.map(eventLine),
    ids: recorded.map(madeIds),
    member: renderDocument(items, facts)[member],
    changed: compareContexts(created.values(), items).entriesChanged,
    view: viewOf(items),
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

function isDocumented(of: string): boolean {
  const document = buildOpenApi(planControllers.flatMap(endpointsOf), '1');
  return Object.hasOwn(Object(document.paths), of);
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
