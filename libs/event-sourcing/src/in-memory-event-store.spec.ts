import { eventStoreContract } from '#testing';

import { InMemoryEventStore } from './in-memory-event-store.js';

eventStoreContract(
  'InMemoryEventStore',
  async () => {
    const store = new InMemoryEventStore();
    return {
      store,
      rival: store,
      freeze: () => Promise.reject(new Error('memory cannot stop answering')),
      close: async () => undefined,
    };
  },
  { countsEvents: true, answersAtOnce: true, canFreeze: false },
);
