export { type PostgresEventStoreOptions, PostgresEventStore } from './postgres-event-store.js';
