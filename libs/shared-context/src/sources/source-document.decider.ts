import { type CommandRules } from '../command-rule.js';
import { asJson, jsonEquals } from '../json.js';
import { sourceKey } from './source-document.item.js';

export const sourceRules: CommandRules<'ImportSource'> = {
  ImportSource: {
    reads: ({ data }) => [sourceKey(data)],
    decide: ({ data }, current) => {
      const { kind, key } = sourceKey(data);
      return jsonEquals(current(kind, key)?.body, asJson(data))
        ? []
        : [{ type: 'SourceImported', data }];
    },
  },
};
