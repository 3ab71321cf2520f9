import { CreateKeyController } from './create-key.controller.js';
import { ListKeysController } from './list-keys.controller.js';
import { RevokeKeyController } from './revoke-key.controller.js';

export const keyControllers = [CreateKeyController, ListKeysController, RevokeKeyController];
