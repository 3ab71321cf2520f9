import { memberOf } from './member-of.js';

/** A request that subscribes to resources. */
export type Listening = Readonly<{ id: unknown; uris: readonly string[] }>;

/** More would keep as many requests waiting. */
const maxUris = 20;

/** Undefined if the message is about something else. What is no text, or too much, is nobody's resource. */
export function listeningIn(message: unknown): Listening | undefined {
  if (memberOf(message, 'method') !== 'subscriptions/listen') return undefined;
  const notifications = memberOf(memberOf(message, 'params'), 'notifications');
  const subscribed = memberOf(notifications, 'resourceSubscriptions');
  const uris = Array.isArray(subscribed) ? [...new Set(subscribed.map(String))] : [];
  return { id: memberOf(message, 'id'), uris: uris.length > maxUris ? [''] : uris };
}

/** The same for each URI that is not the caller's to read, so that it says nothing of what there is. */
export const resourceNotFound = { code: -32_002, message: 'Resource not found' } as const;
