import { type CommandRules } from '../command-rule.js';
import { type CheckAgentInputs, type ScoreQuality } from '../context.command.js';
import { RuleViolationError } from '../context.errors.js';
import { type ContextEvent } from '../context.events.js';
import { type Item } from '../item.js';
import { asJson, defined, jsonEquals } from '../json.js';
import { namedOutputKey } from '../steps/step.fold.js';
import {
  type GateResult,
  areCurrent,
  checkKey,
  checkOf,
  scoresKey,
  scoresOf,
} from './quality.item.js';

export const qualityRules: CommandRules<'CheckAgentInputs' | 'ScoreQuality'> = {
  CheckAgentInputs: {
    reads: ({ data }) => [checkKey(data.agent)],
    /** The same findings in a newer version say nothing new; who may see them does. */
    decide: (command, current) =>
      isFound(command, current('input-check', command.data.agent))
        ? []
        : [{ type: 'AgentInputsChecked', data: command.data }],
  },
  ScoreQuality: {
    reads: ({ data: { agent, output } }) => [
      namedOutputKey(agent, output),
      scoresKey(agent, output),
    ],
    names: ({ data: { agent, output } }) => [namedOutputKey(agent, output)],
    decide: (command, current) => {
      const { agent, output } = command.data;
      const scored = current('output', namedOutputKey(agent, output).key);
      if (!scored)
        throw new RuleViolationError('/output', `names no output that "${agent}" has added`);
      const gates = gatesOf(command);
      const before = current('scores', scoresKey(agent, output).key);
      if (before && areCurrent(before, scored) && saysTheSame(command, gates, before)) return [];
      return [
        { type: 'QualityScored', data: command.data },
        ...gates.map((gate) => gateEvent(command.data, gate)),
      ];
    },
  },
};

function isFound(
  { data, visibility = 'record' }: CheckAgentInputs,
  before: Item | undefined,
): boolean {
  if (before?.state['visibility'] !== visibility) return false;
  const { checkedVersion } = data;
  return jsonEquals(asJson({ ...checkOf(before), checkedVersion }), asJson(data));
}

/** What was not measured passes no gate, and fails none. */
function gatesOf({ data: { output, scores }, thresholds = [] }: ScoreQuality): GateResult[] {
  return thresholds.flatMap(({ output: of, gate, for: asker, least }) => {
    const score = Object.hasOwn(scores, gate) ? scores[gate] : undefined;
    if (of !== output || score === undefined) return [];
    return [defined({ gate, for: asker, passed: score >= least, score, threshold: least })];
  });
}

function gateEvent(
  { agent, output }: ScoreQuality['data'],
  { passed, ...held }: GateResult,
): ContextEvent {
  return { type: passed ? 'GatePassed' : 'GateFailed', data: { agent, output, ...held } };
}

function saysTheSame({ data }: ScoreQuality, gates: readonly GateResult[], before: Item): boolean {
  return jsonEquals(asJson({ ...data, gates }), asJson(scoresOf(before)));
}
