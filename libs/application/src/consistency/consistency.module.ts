import { Module } from '@nestjs/common';

import { FamiliesModule } from '../families/families.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { CheckContextHandler } from './check-context.handler.js';

@Module({
  imports: [FamiliesModule, ReadingModule],
  providers: [CheckContextHandler],
})
export class ConsistencyModule {}
