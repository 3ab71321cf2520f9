import { z } from 'zod';

import { documentMembers, identifyingMembers } from '#shared-context';

/** Members of the document, several in one value or in several, read as a sorted list without repetitions. */
export const partsQuery = {
  parts: z
    .union([z.string(), z.array(z.string())])
    .transform((values) => [values].flat().flatMap((value) => value.split(',')))
    .pipe(z.array(z.enum(documentMembers)))
    .transform((names) => [...new Set(names)].toSorted())
    .optional()
    .meta({
      documented: {
        type: 'array',
        items: { type: 'string', enum: documentMembers },
        description: `Only these members of the document, beside ${identifyingMembers.join(', ')}; several may also be one value, separated by commas`,
      },
    }),
};
