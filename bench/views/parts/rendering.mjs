import { sampleInTurn } from '../latencies.mjs';
import { longContext, stepOf } from '../long-context.mjs';
import { Counts } from '../material.mjs';

const warmUps = 3;

/** Rendering only, of items in memory; counts and digests are cached, as in a server that reads a context again. */
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
  const first = events.reduce((state, event) => state.apply(event), build.ContextState.from([]));
  const render = ([now, former]) => build.renderView(now, former, wishes);
  const grown = growing(first, { ...given, contextId, steps, version: events.length });
  let sources;
  let items;
  return [
    {
      ...{ steps, what: 'rendering' },
      prepare: () => {
        const { now, before } = grown();
        sources = [now, before];
      },
      run: () => render(sources),
    },
    {
      ...{ steps, what: 'from items' },
      // New items as a read creates them, without cached results.
      prepare: () => {
        items = structuredClone([...first.values()]);
      },
      run: () => render([build.viewSource({ contextId, items }), undefined]),
    },
  ];
}

/** Each time with one more step, continued from the version before as in a server. */
function growing(first, { build, contextId, steps, texts, version }) {
  // Running steps are listed after the timeline, in one line.
  const activity = build.noActivity;
  let state = build.ContextState.from(first.values());
  let live = build.IncrementalViewSource.of({ contextId, state, activity });
  let added = 0;
  return () => {
    added += 1;
    const [event] = recordedBy(
      [stepOf({ contextId, step: steps + added, texts })],
      version + added - 1,
    );
    const [before, former] = [state, live.source];
    state = before.apply(event);
    const keys = [
      { kind: 'step', key: event.data.stepId },
      { kind: 'step-output', key: event.data.stepId },
    ];
    live = live.next(keys, { contextId, state, activity, before });
    return { now: live.source, before: former };
  };
}

function recordedBy(events, from = 0) {
  return events.map(({ type, data, agent }, at) => ({
    ...{ type, data, version: from + at + 1, principal: agent, bytes: JSON.stringify(data).length },
    eventId: `00000000-0000-4000-8000-${String(from + at + 1).padStart(12, '0')}`,
    recordedAt: new Date(Date.UTC(2026, 0, 1) + (from + at) * 1000).toISOString(),
    ...{ origin: null, trust: 'agent', visibility: 'record', idempotency: null },
  }));
}
