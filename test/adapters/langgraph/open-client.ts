import { Throughline } from '@throughline/sdk';
import { inject } from 'vitest';

import { rootKey } from './throughline-server.js';

export function openClient(): Throughline {
  return new Throughline({ url: inject('url'), key: rootKey });
}
