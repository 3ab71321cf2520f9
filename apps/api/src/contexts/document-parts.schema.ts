import { z } from 'zod';

import { documentMembers, identifyingMembers } from '#shared-context';

/** Names of document members, comma-separated or in repeated parameters, parsed to a sorted list without duplicates. */
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
        description: `Return only these members of the document, and ${identifyingMembers.join(', ')}; repeat the parameter, or separate names by commas`,
      },
    }),
};
