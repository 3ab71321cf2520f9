import { type KeyObject } from 'node:crypto';

import { type Provider } from '@nestjs/common';

import { FINGERPRINT_KEY } from '../tokens.js';
import { BasisOfDecision } from './basis-of-decision.js';
import { Citations } from './citations.js';
import { CitedTexts } from './cited-texts.js';
import { CitingEvents } from './citing-events.js';
import { DecisionAuthor } from './decision-author.js';
import { FamilyReach } from './family-reach.js';
import { FindKnowledgeHandler } from './find-knowledge.handler.js';
import { FindReceiptHandler } from './find-receipt.handler.js';
import { LeftOut } from './left-out.js';
import { ReceiptAccess } from './receipt-access.js';
import { DocumentReproducer } from './document-reproducer.js';
import { ReceiptText } from './receipt-text.js';
import { Receipts } from './receipts.js';
import { TextReproducer } from './text-reproducer.js';

export const citing = [
  CitedTexts,
  DocumentReproducer,
  TextReproducer,
  Citations,
  ReceiptAccess,
  FamilyReach,
  ReceiptText,
  CitingEvents,
  DecisionAuthor,
  BasisOfDecision,
  LeftOut,
  FindReceiptHandler,
  FindKnowledgeHandler,
];

export const receipts: Provider = {
  provide: Receipts,
  useFactory: (serverKey: KeyObject) => new Receipts(serverKey),
  inject: [FINGERPRINT_KEY],
};
