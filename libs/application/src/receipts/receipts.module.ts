import { type KeyObject } from 'node:crypto';

import { Module, type Provider } from '@nestjs/common';

import { FINGERPRINT_KEY } from '../tokens.js';
import { CitedTexts } from './cited-texts.js';
import { Receipts } from './receipts.js';

const receipts: Provider = {
  provide: Receipts,
  useFactory: (serverKey: KeyObject) => new Receipts(serverKey),
  inject: [FINGERPRINT_KEY],
};

@Module({
  providers: [receipts, CitedTexts],
  exports: [CitedTexts, Receipts],
})
export class ReceiptsModule {}
