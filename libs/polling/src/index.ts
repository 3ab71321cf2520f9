export { pause } from './pause.js';
export { PollingWorker } from './polling-worker.js';
