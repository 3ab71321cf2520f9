import { AuthenticateHandler, KeyLeases } from './authentication.js';
import { KeyStore } from './key-store.js';
import { CreateKeyHandler, ListKeysHandler, RevokeKeyHandler } from './keys.handlers.js';

export const keys = [
  KeyStore,
  KeyLeases,
  CreateKeyHandler,
  RevokeKeyHandler,
  ListKeysHandler,
  AuthenticateHandler,
];
