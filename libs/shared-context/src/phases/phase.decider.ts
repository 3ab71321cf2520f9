import { type CommandRules } from '../command-rule.js';
import { asJson, jsonEquals } from '../json.js';
import { phaseKey, phaseStatus } from './phase.item.js';

export const phaseRules: CommandRules<'StartPhase' | 'CompletePhase'> = {
  /** Starting a running phase assigns it to another agent; starting a completed phase runs it again. */
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
  /** A phase may be completed without having been started. */
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
