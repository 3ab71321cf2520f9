import { Module } from '@nestjs/common';

import { AudiencesModule } from '../audiences/audiences.module.js';
import { ListInboxHandler } from './list-inbox.handler.js';

@Module({
  imports: [AudiencesModule],
  providers: [ListInboxHandler],
})
export class InboxModule {}
