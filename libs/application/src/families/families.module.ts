import { Module } from '@nestjs/common';

import { ReadingModule } from '../reading/reading.module.js';
import { Families } from './families.js';

@Module({
  imports: [ReadingModule],
  providers: [Families],
  exports: [Families],
})
export class FamiliesModule {}
