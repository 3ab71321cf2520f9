import { Module } from '@nestjs/common';

import { AudiencesModule } from '../audiences/audiences.module.js';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { LongPollsModule } from '../long-polls/long-polls.module.js';
import { CreateKeyHandler, ListKeysHandler, RevokeKeyHandler } from './keys.handlers.js';

@Module({
  imports: [AudiencesModule, AuthenticationModule, LongPollsModule],
  providers: [CreateKeyHandler, RevokeKeyHandler, ListKeysHandler],
})
export class KeysModule {}
