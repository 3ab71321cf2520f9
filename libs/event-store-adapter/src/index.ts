export { backOff } from './back-off.js';
export { defaultTimeoutMs, within } from './call-limit.js';
