import { z } from 'zod';

const time = z.iso.datetime({ offset: true });

/** Whether a text is an existing time in RFC 3339 format. */
export function isRfc3339(text: string): boolean {
  return text.length <= 64 && time.safeParse(text).success && Number.isFinite(Date.parse(text));
}
