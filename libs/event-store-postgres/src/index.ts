export { PostgresEventStore } from './postgres-event-store.js';
