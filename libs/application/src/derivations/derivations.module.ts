import { Module } from '@nestjs/common';

import { ReadingModule } from '../reading/reading.module.js';
import { TransformationsModule } from '../transformations/transformations.module.js';
import { WritingModule } from '../writing/writing.module.js';
import { DeriveNowHandler } from './derive-now.handler.js';

@Module({
  imports: [ReadingModule, TransformationsModule, WritingModule],
  providers: [DeriveNowHandler],
})
export class DerivationsModule {}
