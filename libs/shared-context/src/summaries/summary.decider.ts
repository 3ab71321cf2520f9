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

function isLate({ data, sourceLineage, lineage }: AddSummary, current: ItemLookup): boolean {
  const { kind, key } = summarizedKey;
  const newest = summarizedIn(current(kind, key));
  if (current('summary', data.summaryId) || newest?.summaryId !== data.previous) return true;
  // A restore may have undone the summarized events since.
  if (sourceLineage !== lineage) return true;
  return newest !== undefined && data.covers.to <= newest.to;
}
