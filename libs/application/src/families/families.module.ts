import { Module } from '@nestjs/common';

import { ReadingModule } from '../reading/reading.module.js';
import { ContextHierarchy } from './context-hierarchy.js';

@Module({
  imports: [ReadingModule],
  providers: [ContextHierarchy],
  exports: [ContextHierarchy],
})
export class FamiliesModule {}
