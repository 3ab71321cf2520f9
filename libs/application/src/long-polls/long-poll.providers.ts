import { ContextChanges } from './context-changes.js';
import { EndedKeys } from './ended-keys.js';
import { LongPolls } from './long-polls.js';

export { ContextChanges };

/** What requests that wait need. */
export const longPolls = [ContextChanges, LongPolls, EndedKeys];
