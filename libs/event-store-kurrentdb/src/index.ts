export { UnsupportedServerError } from './server-version.js';
export { KurrentEventStore } from './kurrent-event-store.js';
