import { type CommandRules } from '../command-rule.js';
import { patchItems, patchedKeys } from './global.fold.js';

export const globalRules: CommandRules<'SetGlobalContext' | 'SetPreferences'> = {
  SetGlobalContext: {
    reads: ({ data }) => patchedKeys('global', data.values),
    decide: ({ data }, current) =>
      patchItems('global', data.values, current).length > 0
        ? [{ type: 'GlobalContextSet', data }]
        : [],
  },
  SetPreferences: {
    reads: ({ data }) => patchedKeys('preference', data.values),
    decide: ({ data }, current) =>
      patchItems('preference', data.values, current).length > 0
        ? [{ type: 'PreferencesSet', data }]
        : [],
  },
};
