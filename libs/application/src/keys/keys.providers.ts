import { KeyLeases } from './key-leases.js';
import { KeyStore } from './key-store.js';
import {
  AuthenticateHandler,
  CreateKeyHandler,
  ListKeysHandler,
  RevokeKeyHandler,
} from './keys.handlers.js';

export const keys = [
  ...[KeyStore, KeyLeases],
  ...[CreateKeyHandler, RevokeKeyHandler, ListKeysHandler, AuthenticateHandler],
];
