import { Module } from '@nestjs/common';

import { AuthenticationModule } from '../authentication/authentication.module.js';
import { ContextChanges } from './context-changes.js';
import { EndedKeys } from './ended-keys.js';
import { LongPolls } from './long-polls.js';

@Module({
  imports: [AuthenticationModule],
  providers: [ContextChanges, LongPolls, EndedKeys],
  exports: [ContextChanges, LongPolls],
})
export class LongPollsModule {}
