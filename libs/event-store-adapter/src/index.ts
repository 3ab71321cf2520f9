export { backOff } from './back-off.js';
export { within } from './call-limit.js';
export { settled } from './settled.js';
