import { z } from 'zod';

import { isJsonObject } from '#event-sourcing';

import { defineClientEvent, defineServerEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { agentId, identifier, text } from '../payload.schema.js';

const maxScores = 32;
const maxFindings = 1_000;
/** The name of the score for an output as a whole. */
const overall = 'overall_score';

/** The name of a score, as in contracts. */
const scoreName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

const scores = z.custom<Readonly<Record<string, number>>>(isScores, {
  error: `must be an object of 1 to ${maxScores} numbers, named by a letter and up to 63 letters, digits, "_" and "-"`,
});

const path = text.max(256);
const detail = text.max(2_000);
const version = z.int().min(1);

/**
 * The result of checking an agent's inputs at version `checkedVersion` against version `agentVersion` of its registered
 * contract. The agent may start if nothing is missing and nothing failed.
 */
const agentInputsChecked = defineServerEvent(
  'AgentInputsChecked',
  z.strictObject({
    agent: agentId,
    agentVersion: version,
    checkedVersion: version,
    missing: z.array(z.strictObject({ input: identifier, path, detail })).max(maxFindings),
    failed: z
      .array(z.strictObject({ input: identifier, path, rule: identifier, detail }))
      .max(maxFindings),
  }),
  {
    line: ({ agent, missing, failed }) =>
      `inputs of ${agent}: ${missing.length} missing, ${failed.length} failed`,
  },
);

const qualityScoredPayload = z.strictObject({ agent: agentId, output: identifier, scores });

/** The scores of an agent's output; they replace earlier ones. */
const qualityScored = defineClientEvent('QualityScored', qualityScoredPayload, {
  line: ({ agent, output, scores: stated }) =>
    `${output} of ${agent} scored: ${Object.entries(stated)
      .map(([name, score]) => `${name} ${score}`)
      .join(', ')}`,
  client: { command: 'ScoreQuality', payload: qualityScoredPayload, mentionedAgent: 'agent' },
});

/**
 * The result of comparing a score with a threshold. `for`: the agent that needs the output; absent if its own agent
 * promised it.
 */
const gate = z.strictObject({
  agent: agentId,
  output: identifier,
  gate: identifier,
  for: agentId.optional(),
  score: z.number(),
  threshold: z.number(),
});

const gatePassed = defineServerEvent('GatePassed', gate, {
  line: (result) => `${gateLine(result)} passed`,
});
const gateFailed = defineServerEvent('GateFailed', gate, {
  line: (result) => `${gateLine(result)} failed`,
});

export const qualityEvents = [agentInputsChecked, qualityScored, gatePassed, gateFailed] as const;

export const qualityItemKinds = [
  defineItemKind('input-check', { rulesReadBody: true }),
  defineItemKind('scores', { rulesReadBody: true }),
] as const;

function gateLine(result: z.output<typeof gate>): string {
  const { agent, output, gate: name, score, threshold, for: asker } = result;
  return `gate ${name} of ${output} of ${agent}${optionalText(' for ', asker)}: ${score} of ${threshold},`;
}

function isScores(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const members = Object.entries(value);
  return members.length > 0 && members.length <= maxScores && members.every(isScore);
}

function isScore(member: readonly [string, unknown]): member is readonly [string, number] {
  const [name, score] = member;
  return scoreName.test(name) && typeof score === 'number';
}

/**
 * The scores that an output contains: the numbers in its `quality_metrics`, at most 32, the overall score first.
 * Undefined if it has none.
 */
export function ownScores(output: unknown): Readonly<Record<string, number>> | undefined {
  const metrics = isJsonObject(output) ? output['quality_metrics'] : undefined;
  const members: readonly (readonly [string, unknown])[] = isJsonObject(metrics)
    ? Object.entries(metrics)
    : [];
  const stated = members
    .filter(isScore)
    .toSorted(([left], [right]) => Number(right === overall) - Number(left === overall));
  return stated.length > 0 ? Object.fromEntries(stated.slice(0, maxScores)) : undefined;
}
