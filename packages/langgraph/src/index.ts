export { ParentNotHeadError, type RefusedPut } from './parent-not-head.error.js';
export { ThroughlineSaver, type ThroughlineSaverOptions } from './throughline-saver.js';
export { ThroughlineStore, type ThroughlineStoreOptions } from './throughline-store.js';
