import { type CommandRules } from '../command-rule.js';
import { RuleViolationError } from '../context.errors.js';
import { asJson, jsonEquals } from '../json.js';
import { stepKey } from '../item-keys.js';
import { recordKey } from './record.fold.js';

export const recordRules: CommandRules<'AppendRecord'> = {
  AppendRecord: {
    reads: ({ data }) => [recordKey(data.recordId)],
    refersTo: ({ data: { stepId } }) =>
      stepId === undefined ? [] : [{ pointer: '/stepId', item: stepKey(stepId) }],
    decide: ({ data }, current) => {
      const before = current('record', data.recordId);
      if (!before) return [{ type: 'RecordAppended', data }];
      if (jsonEquals(before.body, asJson(data))) return [];
      throw new RuleViolationError(
        '/recordId',
        'is the id of another record: choose another id, or leave it out for a new one',
      );
    },
  },
};
