import { type CommandRules } from '../command-rule.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { asJson, jsonEquals } from '../json.js';
import { handoverKey, notedPayload, withPriority } from './handover.item.js';

export const handoverRules: CommandRules<'NoteHandover' | 'AcknowledgeHandover'> = {
  NoteHandover: {
    reads: ({ data }) => [handoverKey(data.handoverId)],
    decide: ({ data }, current) => {
      const before = current('handover', data.handoverId);
      if (!before) return [{ type: 'HandoverNoted', data }];
      if (jsonEquals(notedPayload(before), asJson(withPriority(data)))) return [];
      throw new RuleViolationError(
        '/handoverId',
        'is the id of another handover: choose another id, or leave it out for a new one',
      );
    },
  },
  AcknowledgeHandover: {
    reads: ({ data }) => [handoverKey(data.handoverId)],
    names: ({ data }) => [handoverKey(data.handoverId)],
    decide: ({ data }, current) => {
      const handover = current('handover', data.handoverId);
      if (!handover) throw new NotFoundError('handover', data.handoverId);
      const { status, to } = handover.state;
      if (status !== 'open') return [];
      // The event repeats the recipient, so that everybody who sees handovers to it also sees the
      // acknowledgement.
      return [
        { type: 'HandoverAcknowledged', data: typeof to === 'string' ? { ...data, to } : data },
      ];
    },
  },
};
