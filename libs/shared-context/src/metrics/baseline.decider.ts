import { type CommandRules } from '../command-rule.js';
import { asJson, jsonEquals } from '../json.js';
import { baselineKey } from './baseline.item.js';

/** A new baseline replaces the previous one. */
export const baselineRules: CommandRules<'ImportBaseline'> = {
  ImportBaseline: {
    reads: () => [baselineKey],
    decide: ({ data }, current) =>
      jsonEquals(current(baselineKey.kind, baselineKey.key)?.body, asJson(data))
        ? []
        : [{ type: 'BaselineImported', data }],
  },
};
