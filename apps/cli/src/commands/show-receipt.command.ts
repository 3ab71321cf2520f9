import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { renderMembers } from '../declared/member-text.js';
import { defineRead } from '../declared/read-command.js';
import { printable, printableLine } from '../printable.js';

const shown = z.looseObject({
  receipt: z.string(),
  text: z.string().nullable(),
  missingDetail: z.string().nullable(),
  citedBy: z.array(z.looseObject({ contextId: z.string(), type: z.string(), version: z.number() })),
});

export const showReceipt = defineRead({
  name: 'receipt',
  summary: 'Show what an earlier read has shown, and what cites it',
  path: 'receipts/{receipt}',
  arguments: [['<receipt>', 'as "view --receipt" and "context show --receipt" print it']],
  examples: [
    'throughline receipt r1.eyJ2Ijox',
    'throughline receipt r1.eyJ2Ijox --json | jq -r .text',
  ],
  render: (answer) => {
    const { receipt: _, text, missingDetail, citedBy, ...facts } = parseAnswer(shown, answer);
    const cited = citedBy.map(({ contextId, type, version }) =>
      printableLine(`cited by  ${contextId} version ${version}: ${type}`),
    );
    const { missing: _why, ...members } = facts;
    const body =
      text === null ? printableLine(missingDetail ?? 'there is no text') : printable(text);
    return [renderMembers(members), ...cited, '', body].join('\n');
  },
});
