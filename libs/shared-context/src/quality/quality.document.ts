import { type JsonObject } from '#event-sourcing';

import { mapSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { asJson, without } from '../json.js';
import { renderEntry } from '../listed-entry.js';
import { type RegisteredAgent } from '../registered-agent.js';
import { areCurrent, checkOf, gatesOf, scoresOf, scoresWithin } from './quality.item.js';

/** The name of the score for an output as a whole. */
const overall = 'overall_score';

export const qualityPart = memberPart('quality', {
  schema: mapSchema.meta({
    description: 'Newest checks of inputs, scores of outputs, and the gates they passed or failed',
  }),
  searched: null,
  kinds: ['input-check', 'scores'],
  states: ['output'],
  listed: [
    { kind: 'input-check', list: 'quality.inputs', render: renderCheck },
    { kind: 'scores', list: 'quality.outputs', render: renderScores },
  ],
  render: (items, { facts }) => renderQuality(items, facts.registry),
});

/** `{}` if nothing was checked or scored. */
export function renderQuality(
  items: readonly Item[],
  registry: readonly RegisteredAgent[] = [],
): JsonObject {
  const checks = items.filter(({ kind }) => kind === 'input-check');
  const scored = scoresInForce(items, registry);
  if (checks.length + scored.length === 0) return {};
  return {
    inputs: Object.fromEntries(checks.toSorted(byKey).map((item) => [item.key, renderCheck(item)])),
    outputs: renderOutputs(scored.toSorted(byKey), items),
    gates: countGates(scored),
    overallScore: overallScore(scored),
  };
}

/** The newest check: `ok`, the missing and failed inputs, its author and time. */
function renderCheck(item: Item): JsonObject {
  const { missing, failed } = checkOf(item);
  const findings = without(renderEntry(item), ['agent', 'checkedVersion']);
  return { ok: missing.length + failed.length === 0, ...findings };
}

/** The scores of an output and the results of its gates. */
function renderScores(item: Item): JsonObject {
  const gates = scoresOf(item).gates.map(({ passed, ...held }) =>
    asJson({ ...held, status: passed ? 'passed' : 'failed' }),
  );
  return { ...without(renderEntry(item), ['agent', 'output']), gates };
}

/** By agent and name; `current`: the scored output is still the latest one. */
function renderOutputs(scored: readonly Item[], items: readonly Item[]): JsonObject {
  const outputs = new Map(
    items.filter(({ kind }) => kind === 'output').map((item) => [item.key, item]),
  );
  const byAgent = Map.groupBy(scored, (item) => scoresOf(item).agent);
  return Object.fromEntries(
    [...byAgent].map(([agent, ofAgent]) => [
      agent,
      Object.fromEntries(
        ofAgent.map((item) => [
          scoresOf(item).output,
          { ...renderScores(item), current: areCurrent(item, outputs.get(item.key)) },
        ]),
      ),
    ]),
  );
}

/**
 * The scores of each output: those recorded for its latest version, else the scores that the output itself contains,
 * else those recorded for an earlier version.
 */
function scoresInForce(
  items: readonly Item[],
  registry: readonly RegisteredAgent[],
): readonly Item[] {
  const recorded = new Map(
    items.filter(({ kind }) => kind === 'scores').map((item) => [item.key, item]),
  );
  const own = items.flatMap((item) => {
    const scored = recorded.get(item.key);
    return scored && areCurrent(scored, item) ? [] : ownScoresOf(item, registry);
  });
  return [...new Map([...recorded, ...own.map((item) => [item.key, item] as const)]).values()];
}

/** The scores that an output contains, as if its agent had recorded them, with the gates of the current thresholds. */
function ownScoresOf(item: Item, registry: readonly RegisteredAgent[]): readonly Item[] {
  const own = item.kind === 'output' ? scoresWithin(item) : undefined;
  if (!own) return [];
  const thresholds = registry.flatMap(({ thresholds }) => thresholds);
  const gates = gatesOf(
    own,
    thresholds.filter(({ agent }) => agent === own.agent),
  );
  return [{ ...item, kind: 'scores', body: asJson({ ...own, gates }) }];
}

function countGates(scored: readonly Item[]): JsonObject {
  const gates = scored.flatMap((item) => scoresOf(item).gates);
  const passed = gates.filter((gate) => gate.passed).length;
  return { passed, failed: gates.length - passed };
}

/** The mean of the overall scores, rounded to two decimals; null if there is none. */
function overallScore(scored: readonly Item[]): number | null {
  const scores = scored.flatMap((item) => scoresOf(item).scores[overall] ?? []);
  if (scores.length === 0) return null;
  const mean = scores.reduce((sum, score) => sum + score / scores.length, 0);
  return Math.round(mean * 100) / 100;
}

function byKey(left: Item, right: Item): number {
  return left.key < right.key ? -1 : 1;
}
