import { randomUUID } from 'node:crypto';

import { type CheckpointSaverTestInitializer } from '@langchain/langgraph-checkpoint-validation';
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation';
import { ThroughlineSaver } from '@throughline/langgraph';

import { openClient } from './open-client.js';

const initializer: CheckpointSaverTestInitializer<ThroughlineSaver> = {
  checkpointerName: '@throughline/langgraph',
  createCheckpointer: () =>
    new ThroughlineSaver({ client: openClient(), prefix: `${randomUUID()}.` }),
};

validate(initializer);
// The suite exports these without calling them.
deltaChannelHistoryTests(initializer);
