// Emmett's consumer: `node emmett-consumer.mjs <connection string> <events a batch> <pause between batches, ms>`.
import { once } from 'node:events';

import { SQL } from '@event-driven-io/dumbo';
import {
  postgreSQLEventStoreConsumer,
  postgreSQLRawSQLProjection,
} from '@event-driven-io/emmett-postgresql';

import { statementsFor } from '../emmett-rows.mjs';

const [connectionString, batchSize, pullingFrequencyInMs] = process.argv.slice(2);
const projection = postgreSQLRawSQLProjection({
  name: 'shared-context',
  canHandle: [
    ...['ContextCreated', 'StepStarted', 'StepOutputAdded', 'StepFailed', 'DecisionRecorded'],
    ...['PreferencesSet', 'GlobalContextSet', 'ArtifactReferenced'],
  ],
  evolve: (event) => statementsFor(SQL, event),
});
const consumer = postgreSQLEventStoreConsumer({
  connectionString,
  stopWhen: { noMessagesLeft: true },
  pulling: { batchSize: Number(batchSize), pullingFrequencyInMs: Number(pullingFrequencyInMs) },
});
consumer.projector({ projection });

process.stdin.once('end', () => process.exit());
process.stdout.write('ready\n');
await once(process.stdin, 'data');
await consumer.start();
process.stdout.write('done\n');
