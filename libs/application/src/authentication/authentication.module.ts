import { Module } from '@nestjs/common';

import { AuthenticateHandler, KeyLeases } from './authentication.js';
import {
  AuthenticateSessionHandler,
  OpenRootSessionHandler,
  OpenSessionHandler,
  Sessions,
} from './sessions.js';
import { KeyStore } from './key-store.js';

@Module({
  providers: [
    KeyStore,
    KeyLeases,
    Sessions,
    AuthenticateHandler,
    AuthenticateSessionHandler,
    OpenSessionHandler,
    OpenRootSessionHandler,
  ],
  exports: [KeyLeases, KeyStore],
})
export class AuthenticationModule {}
