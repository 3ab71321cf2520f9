import { Module } from '@nestjs/common';

import { AuthenticateHandler, KeyLeases } from './authentication.js';
import { KeyStore } from './key-store.js';

@Module({
  providers: [KeyStore, KeyLeases, AuthenticateHandler],
  exports: [KeyLeases, KeyStore],
})
export class AuthenticationModule {}
