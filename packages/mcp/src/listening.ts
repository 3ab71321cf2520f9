import { memberOf } from './member-of.js';

/** A request that subscribes to resources. */
export type Listening = Readonly<{ id: unknown; uris: readonly string[] }>;

/** Each URI needs a long poll. */
const maxUris = 20;

/** Returns undefined for another message. Too many URIs become one invalid URI, which is not found. */
export function listeningIn(message: unknown): Listening | undefined {
  if (memberOf(message, 'method') !== 'subscriptions/listen') return undefined;
  const notifications = memberOf(memberOf(message, 'params'), 'notifications');
  const subscribed = memberOf(notifications, 'resourceSubscriptions');
  const uris = Array.isArray(subscribed) ? [...new Set(subscribed.map(String))] : [];
  return { id: memberOf(message, 'id'), uris: uris.length > maxUris ? [''] : uris };
}

/** The same error for missing and for forbidden URIs, so that it does not reveal which resources exist. */
export const resourceNotFound = { code: -32_002, message: 'Resource not found' } as const;
