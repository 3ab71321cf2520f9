import { z } from 'zod';

import { type DocumentFormat, documentFormats } from '#interop';

export const eventsFormat = 'events-jsonl';

/** Formats in which contexts enter. */
export const importFormat = formats(({ read }) => read !== undefined);

/** Formats in which contexts leave. */
export const exportFormat = formats(({ write }) => write !== undefined);

function formats(isOne: (format: DocumentFormat) => boolean) {
  const names = [eventsFormat, ...documentFormats.filter(isOne).map(({ name }) => name)];
  return z.enum(names, `must be one of ${names.join(', ')}`).meta({ description: 'The format' });
}
