import { type Activity, noActivity } from '#shared-context';

/** Decodes the activity of a row. Rows of earlier projection versions have fewer members, and do not count work. */
export function decodeActivity(text: string): Activity {
  // JSON text that this library wrote itself.
  const stored = JSON.parse(text) as Partial<Activity>;
  return { ...noActivity, ...stored, counted: stored.counted ?? false };
}
