export {
  type EventStoreFixture,
  type EventStoreFlags,
  collect,
  eventStoreContract,
  newEvents,
  newStream,
  upTo,
} from './event-store.contract.js';
