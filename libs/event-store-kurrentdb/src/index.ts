export { UnsupportedServerError } from './server-version.js';
export { type KurrentEventStoreOptions, KurrentEventStore } from './kurrent-event-store.js';
