import { type Activity, noActivity } from '#shared-context';

/** What a row says of who is active; rows made by earlier versions of the projection say less, and did not count work. */
export function decodeActivity(text: string): Activity {
  // JSON text that this library wrote itself.
  const stored = JSON.parse(text) as Partial<Activity>;
  return { ...noActivity, ...stored, counted: stored.counted ?? false };
}
