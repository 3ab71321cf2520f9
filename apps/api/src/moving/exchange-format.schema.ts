import { z } from 'zod';

import { type DocumentFormat, documentFormats } from '#interop';

export const eventsFormat = 'events-jsonl';

/** Formats for imports. */
export const importFormat = formats(({ read }) => read !== undefined);

/** Formats for exports. */
export const exportFormat = formats(({ write }) => write !== undefined);

function formats(isIncluded: (format: DocumentFormat) => boolean) {
  const names = [eventsFormat, ...documentFormats.filter(isIncluded).map(({ name }) => name)];
  return z.enum(names, `must be one of ${names.join(', ')}`).meta({ description: 'The format' });
}
