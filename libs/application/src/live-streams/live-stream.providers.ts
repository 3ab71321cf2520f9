import { FollowContextHandler } from './follow-context.handler.js';
import { FollowWorkspaceHandler } from './follow-workspace.handler.js';
import { GroundsWatch } from './grounds-watch.js';
import { LiveStreams } from './live-streams.js';
import { NewestEvents } from './newest-events.js';
import { StreamWaits } from './stream-waits.js';
import { OpenStreams } from './open-streams.js';

/** What streams of events need, beside what requests that wait need. */
export const liveStreams = [
  NewestEvents,
  OpenStreams,
  GroundsWatch,
  LiveStreams,
  StreamWaits,
  FollowContextHandler,
  FollowWorkspaceHandler,
];
