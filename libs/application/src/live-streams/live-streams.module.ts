import { Module } from '@nestjs/common';

import { AudiencesModule } from '../audiences/audiences.module.js';
import { LongPollsModule } from '../long-polls/long-polls.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { HistoryModule } from '../history/history.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { FollowContextHandler } from './follow-context.handler.js';
import { FollowWorkspaceHandler } from './follow-workspace.handler.js';
import { StreamAccessWatch } from './stream-access-watch.js';
import { LiveStreams } from './live-streams.js';
import { NewestEvents } from './newest-events.js';
import { OpenStreams } from './open-streams.js';
import { StreamWaits } from './stream-waits.js';

@Module({
  imports: [AudiencesModule, LongPollsModule, ReadingModule, HistoryModule, RunsModule],
  providers: [
    NewestEvents,
    OpenStreams,
    StreamAccessWatch,
    LiveStreams,
    StreamWaits,
    FollowContextHandler,
    FollowWorkspaceHandler,
  ],
})
export class LiveStreamsModule {}
