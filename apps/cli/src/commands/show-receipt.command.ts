import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { renderMembers } from '../declared/member-text.js';
import { defineRead } from '../declared/read-command.js';
import { printable, printableLine } from '../printable.js';

/** The members that are printed above the text. */
const facts = {
  contextId: z.string(),
  version: z.number(),
  audience: z.string(),
  kind: z.string(),
  hash: z.string(),
  kept: z.boolean(),
};
const receiptDetails = z.looseObject({
  ...facts,
  text: z.string().nullable(),
  missingDetail: z.string().nullable(),
  citedBy: z.array(z.looseObject({ contextId: z.string(), type: z.string(), version: z.number() })),
});

export const showReceipt = defineRead({
  name: 'receipt',
  summary: 'Show the text of an earlier read and the events that cite it',
  path: 'receipts/{receipt}',
  arguments: [['<receipt>', 'as "view --receipt" and "context show --receipt" print it']],
  examples: [
    'throughline receipt r1.eyJ2Ijox',
    'throughline receipt r1.eyJ2Ijox --json | jq -r .text',
  ],
  render: (answer) => {
    const { text, missingDetail, citedBy } = parseAnswer(receiptDetails, answer);
    const cited = citedBy.map(({ contextId, type, version }) =>
      printableLine(`cited by ${contextId} version ${version}: ${type}`),
    );
    const body = text === null ? printableLine(missingDetail ?? 'no text') : printable(text);
    return [renderMembers(parseAnswer(z.object(facts), answer)), ...cited, '', body].join('\n');
  },
});
