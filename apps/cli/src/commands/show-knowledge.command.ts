import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { contextArgument } from '../declared/address.js';
import { audienceOption, defineRead } from '../declared/read-command.js';
import { pageOptions, withNext } from '../paging.js';
import { printableLine } from '../printable.js';
import { formatTable } from '../table.js';

const refs = z.array(z.looseObject({ ref: z.string() })).nullish();

const knowledge = z.looseObject({
  decisionId: z.string(),
  version: z.number(),
  agentId: z.string(),
  basedOn: z
    .looseObject({ receipt: z.string().nullable(), version: z.number().nullable() })
    .nullable(),
  recorded: z.looseObject({ after: z.number(), seen: z.string() }),
  leftOut: z.looseObject({ byAudience: refs, byChoice: refs, byBudget: refs }).nullable(),
  items: z.array(
    z.looseObject({
      version: z.number(),
      type: z.string(),
      agentId: z.string().nullish(),
      line: z.string().nullish(),
      refs: z.array(z.string()),
    }),
  ),
  nextCursor: z.string().nullable(),
});

type KnowledgeAnswer = z.output<typeof knowledge>;

export const showKnowledge = defineRead({
  name: 'decision knowledge',
  summary: 'Show which information the author of a decision had read',
  path: 'contexts/{context}/decisions/{decision}/knowledge',
  arguments: [contextArgument, ['<decision>', 'id of the decision']],
  options: [audienceOption, ...pageOptions],
  examples: ['throughline decision knowledge demo DEC-001'],
  render: (answer) => {
    const result = parseAnswer(knowledge, answer);
    const { decisionId, version, agentId, items, nextCursor } = result;
    const lines = [
      `${decisionId} by ${agentId}, recorded as version ${version}`,
      basisOf(result),
      ...omissionLines(result),
      headingOf(result),
    ];
    const rows = items.map((item) => [
      item.version,
      item.agentId,
      item.type,
      item.line ?? item.refs.join(', '),
    ]);
    const table = rows.length === 0 ? [] : [formatTable(['VERSION', 'BY', 'TYPE', 'WHAT'], rows)];
    return withNext([...lines.map(printableLine), ...table].join('\n'), nextCursor);
  },
});

function basisOf({ basedOn }: KnowledgeAnswer): string {
  if (!basedOn) return 'cites no read';
  const version = basedOn.version === null ? '' : ` at version ${basedOn.version}`;
  return `based on a read${version}: ${basedOn.receipt ?? 'this key may not see its receipt'}`;
}

function omissionLines({ leftOut }: KnowledgeAnswer): readonly string[] {
  const ways = [
    ['hidden from its audience', leftOut?.byAudience],
    ['not requested', leftOut?.byChoice],
    ['shortened or omitted to fit the budget', leftOut?.byBudget],
  ] as const;
  return ways.flatMap(([way, entries]) =>
    entries && entries.length > 0 ? [`${way}: ${entries.map(({ ref }) => ref).join(', ')}`] : [],
  );
}

/** The heading of the table, which lists events by others before the decision. */
function headingOf({ recorded, items }: KnowledgeAnswer): string {
  const since = `by others since version ${recorded.after}`;
  if (items.length === 0) return `no events ${since}`;
  const verdict =
    recorded.seen === 'no' ? 'the author had not read' : 'the author may not have read';
  return `${verdict} these events ${since}:`;
}
