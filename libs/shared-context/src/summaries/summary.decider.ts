import { type CommandRules } from '../command-rule.js';
import { type AddSummary } from '../context.command.js';
import { type ItemLookup } from '../item.js';
import { summarizedIn, summarizedKey, summaryKey } from './summary.item.js';

export const summaryRules: CommandRules<'AddSummary'> = {
  AddSummary: {
    reads: ({ data }) => [summarizedKey, summaryKey(data.summaryId)],
    /** If two processes summarize the same part, the second one adds nothing. */
    decide: (command, current) =>
      isLate(command, current) ? [] : [{ type: 'SummaryAdded', data: command.data }],
  },
};

function isLate({ data, madeBehind, lineage }: AddSummary, current: ItemLookup): boolean {
  const { kind, key } = summarizedKey;
  const newest = summarizedIn(current(kind, key));
  if (current('summary', data.summaryId) || newest?.summaryId !== data.previous) return true;
  // What was summarized may have been taken back since.
  if (madeBehind !== lineage) return true;
  return newest !== undefined && data.covers.to <= newest.to;
}
