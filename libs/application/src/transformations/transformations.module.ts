import { Module } from '@nestjs/common';

import { DerivedMarks } from './derived-marks.js';
import { TransformationStore } from './transformation-store.js';
import {
  FindTransformationHandler,
  ListTransformationsHandler,
  PutTransformationHandler,
} from './transformations.handlers.js';

@Module({
  providers: [
    DerivedMarks,
    TransformationStore,
    ListTransformationsHandler,
    FindTransformationHandler,
    PutTransformationHandler,
  ],
  exports: [DerivedMarks, TransformationStore],
})
export class TransformationsModule {}
