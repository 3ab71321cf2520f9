import { type CommandRules } from '../command-rule.js';
import { newestSignalKeys } from './newest-signal.js';

export const signalRules: CommandRules<'EmitSignal' | 'EmitSignals'> = {
  EmitSignal: {
    reads: newestSignalKeys,
    decide: ({ data }) => [{ type: 'SignalEmitted', data }],
  },
  EmitSignals: {
    reads: ({ data }) => data.signals.flatMap((signal) => newestSignalKeys({ data: signal })),
    decide: ({ data }) => data.signals.map((signal) => ({ type: 'SignalEmitted', data: signal })),
  },
};
