export { backOff } from './back-off.js';
export { defaultTimeoutMs, within } from './call-limit.js';
export { settled } from './settled.js';
