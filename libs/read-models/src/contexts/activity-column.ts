import { type Activity, noActivity } from '#shared-context';

/** What a row says of who is active; rows made earlier may say less. */
export function decodeActivity(text: string): Activity {
  // JSON text that this library wrote itself.
  return { ...noActivity, ...(JSON.parse(text) as Partial<Activity>) };
}
