import { type Config } from './config.js';
import {
  databaseHosts,
  describeEventStore,
  parseEventStoreAddress,
} from './event-store-address.js';

/** Describes the locations of streams and read models for people, without users and passwords. */
export function describeStores({
  databaseUrl,
  eventStoreUrl,
}: Pick<Config, 'databaseUrl' | 'eventStoreUrl'>): string {
  const database = describeDatabase(databaseUrl);
  if (eventStoreUrl === undefined) return `Streams and read models: ${database}`;
  const streams = describeEventStore(parseEventStoreAddress(eventStoreUrl));
  return `Streams: ${streams}; read models: ${database}`;
}

function describeDatabase(url: string | undefined): string {
  if (url === undefined) return 'embedded PostgreSQL';
  const hosts = databaseHosts(url);
  return hosts.length === 0 ? 'PostgreSQL' : `PostgreSQL at ${hosts.join(', ')}`;
}
