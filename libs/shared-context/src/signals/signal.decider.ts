import { type CommandRules } from '../command-rule.js';

export const signalRules: CommandRules<'EmitSignal' | 'EmitSignals'> = {
  EmitSignal: {
    reads: () => [],
    decide: ({ data }) => [{ type: 'SignalEmitted', data }],
  },
  EmitSignals: {
    reads: () => [],
    decide: ({ data }) => data.signals.map((signal) => ({ type: 'SignalEmitted', data: signal })),
  },
};
