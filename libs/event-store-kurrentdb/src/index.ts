export { type KurrentEventStoreOptions, KurrentEventStore } from './kurrent-event-store.js';
