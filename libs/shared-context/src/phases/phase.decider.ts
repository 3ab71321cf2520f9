import { type CommandRules } from '../command-rule.js';
import { asJson, jsonEquals } from '../json.js';
import { phaseKey, phaseStatus } from './phase.item.js';

export const phaseRules: CommandRules<'StartPhase' | 'CompletePhase'> = {
  /** Again by another agent, it is that agent's from now on; after its completion it runs once more. */
  StartPhase: {
    reads: ({ data }) => [phaseKey(data.phase)],
    refersTo: ({ data }) => [{ pointer: '/phase', item: phaseKey(data.phase) }],
    decide: ({ data }, current) => {
      const before = current('phase', data.phase);
      const repeated =
        phaseStatus(before) === 'started' &&
        (data.agent === undefined || data.agent === before?.state['agentId']);
      return repeated ? [] : [{ type: 'PhaseStarted', data }];
    },
  },
  /** What nobody said had begun may be over. */
  CompletePhase: {
    reads: ({ data }) => [phaseKey(data.phase)],
    refersTo: ({ data }) => [{ pointer: '/phase', item: phaseKey(data.phase) }],
    decide: ({ data }, current) => {
      const before = current('phase', data.phase);
      const repeated =
        phaseStatus(before) === 'completed' && jsonEquals(before?.body, asJson(data));
      return repeated ? [] : [{ type: 'PhaseCompleted', data }];
    },
  },
};
