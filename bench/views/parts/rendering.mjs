import { sampleInTurn } from '../latencies.mjs';
import { longContext, stepOf } from '../long-context.mjs';
import { Counts } from '../material.mjs';

const warmUps = 3;

/** Rendering alone, of items in memory; counts and digests known, as they are to a server that reads a context again. */
export async function measureRendering(given) {
  const cells = given.steps.flatMap((steps) => cellsOf(steps, given));
  const measured = await sampleInTurn(cells, given.samples, warmUps);
  return measured.map(({ answer, ...cell }) => ({ ...cell, tokens: answer.tokens }));
}

function cellsOf(steps, given) {
  const { build, budget } = given;
  const tokenizer = build.tokenizerOf('o200k_base');
  const counts = new Counts(tokenizer);
  const wishes = { maxTokens: budget, tokenizer, newest: 3, overflow: 'refuse' };
  const contextId = `of-${steps}`;
  const events = recordedBy([...longContext({ ...given, contextId, steps })]);
  const before = events.reduce((state, event) => state.apply(event), build.ContextState.from([]));
  const earlier = [...before.values()];
  const [next] = recordedBy([stepOf({ ...given, contextId, step: steps + 1 })], events.length);
  const items = [...before.apply(next).values()];
  const sources = [items, earlier].map((each) => build.viewSource({ contextId, items: each }));
  const ofItems = (each) => build.viewSource({ contextId, items: each });
  const render = ([now, former]) => build.renderView(now, former, wishes, counts.memo);
  return [
    { steps, what: 'rendering', run: () => render(sources) },
    { steps, what: 'from items', run: () => render([ofItems(items), ofItems(earlier)]) },
  ];
}

function recordedBy(events, from = 0) {
  return events.map(({ type, data, agent }, at) => ({
    ...{ type, data, version: from + at + 1, principal: agent, bytes: JSON.stringify(data).length },
    eventId: `00000000-0000-4000-8000-${String(from + at + 1).padStart(12, '0')}`,
    recordedAt: new Date(Date.UTC(2026, 0, 1) + (from + at) * 1000).toISOString(),
    ...{ origin: null, trust: 'agent', visibility: 'record', idempotency: null },
  }));
}
