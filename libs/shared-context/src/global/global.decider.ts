import { type CommandRules } from '../command-rule.js';
import { changesItems, patchedKeys } from './global.fold.js';

export const globalRules: CommandRules<'SetGlobalContext' | 'SetPreferences'> = {
  SetGlobalContext: {
    reads: ({ data }) => patchedKeys('global', data.values),
    decide: ({ data }, current) =>
      changesItems('global', data.values, current) ? [{ type: 'GlobalContextSet', data }] : [],
  },
  SetPreferences: {
    reads: ({ data }) => patchedKeys('preference', data.values),
    decide: ({ data }, current) =>
      changesItems('preference', data.values, current) ? [{ type: 'PreferencesSet', data }] : [],
  },
};
