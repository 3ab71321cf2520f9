import { Module } from '@nestjs/common';

import { ViewTallyStore } from './view-tally-store.js';

@Module({
  providers: [ViewTallyStore],
  exports: [ViewTallyStore],
})
export class ViewTalliesModule {}
