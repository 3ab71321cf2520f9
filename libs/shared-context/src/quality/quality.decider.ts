import { type CommandRules } from '../command-rule.js';
import { type CheckAgentInputs, type ScoreQuality } from '../context.command.js';
import { RuleViolationError } from '../context.errors.js';
import { type ContextEvent } from '../context.events.js';
import { type Item } from '../item.js';
import { asJson, jsonEquals } from '../json.js';
import { namedOutputKey } from '../item-keys.js';
import {
  type GateResult,
  areCurrent,
  checkKey,
  checkOf,
  gatesOf,
  scoresKey,
  scoresOf,
} from './quality.item.js';

export const qualityRules: CommandRules<'CheckAgentInputs' | 'ScoreQuality'> = {
  CheckAgentInputs: {
    reads: ({ data }) => [checkKey(data.agent)],
    /** The same findings at a newer version are no change, but another visibility is. */
    decide: (command, current) =>
      isRepeatedCheck(command, current('input-check', command.data.agent))
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
        throw new RuleViolationError('/output', `names no output of "${agent}": add it first`);
      const gates = gatesOf(command.data, command.thresholds ?? []);
      const before = current('scores', scoresKey(agent, output).key);
      if (before && areCurrent(before, scored) && isRepeatedScore(command, gates, before))
        return [];
      return [
        { type: 'QualityScored', data: command.data },
        ...gates.map((gate) => gateEvent(command.data, gate)),
      ];
    },
  },
};

function isRepeatedCheck(
  { data, visibility = 'record' }: CheckAgentInputs,
  before: Item | undefined,
): boolean {
  if (before?.state['visibility'] !== visibility) return false;
  const { checkedVersion } = data;
  return jsonEquals(asJson({ ...checkOf(before), checkedVersion }), asJson(data));
}

function gateEvent(
  { agent, output }: ScoreQuality['data'],
  { passed, ...held }: GateResult,
): ContextEvent {
  return { type: passed ? 'GatePassed' : 'GateFailed', data: { agent, output, ...held } };
}

function isRepeatedScore(
  { data }: ScoreQuality,
  gates: readonly GateResult[],
  before: Item,
): boolean {
  return jsonEquals(asJson({ ...data, gates }), asJson(scoresOf(before)));
}
