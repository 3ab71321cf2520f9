import { Module } from '@nestjs/common';

import { SettingsStore } from './settings-store.js';
import { ChangeSettingsHandler, FindSettingsHandler } from './settings.handlers.js';

@Module({
  providers: [SettingsStore, FindSettingsHandler, ChangeSettingsHandler],
  exports: [SettingsStore],
})
export class SettingsModule {}
