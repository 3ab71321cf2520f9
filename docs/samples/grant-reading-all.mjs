// Lets users or groups of KurrentDB read $all, which the server's defaults allow its administrators only. Existing
// grants stay. Usage: EVENTSTORE_ADMIN_URL=esdb://admin:... node docs/samples/grant-reading-all.mjs <name> ...
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  NO_STREAM,
  StreamNotFoundError,
} from '@eventstore/db-client';

const names = process.argv.slice(2);
const url = process.env.EVENTSTORE_ADMIN_URL;
if (!url || names.length === 0) {
  console.error(
    'EVENTSTORE_ADMIN_URL names the server and an administrator; the arguments are names of users or groups',
  );
  process.exit(2);
}

const client = EventStoreDBClient.connectionString(url);
const revision = await newestRevision('$$$all');
const { metadata = {} } = await client.getStreamMetadata('$all');
const { acl = {} } = metadata;
const readRoles = [...new Set([acl.readRoles ?? ['$admins'], names].flat())];
// Fails if the metadata has changed since it was read.
await client.setStreamMetadata(
  '$all',
  { ...metadata, acl: { ...acl, readRoles } },
  { expectedRevision: revision ?? NO_STREAM },
);
console.log(`may read $all: ${readRoles.join(', ')}`);
process.exit(0);

async function newestRevision(stream) {
  try {
    const newest = { direction: BACKWARDS, fromRevision: END, maxCount: 1 };
    for await (const { event } of client.readStream(stream, newest)) return event?.revision;
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return undefined;
}
