import { z } from 'zod';

import { path } from '../api-client.js';
import { defineCommand } from '../command.js';

export const revokeKey = defineCommand({
  name: 'key revoke',
  summary: 'Revoke a key immediately and permanently',
  arguments: [['<keyId>', 'id of the key, as "key list" shows it']],
  examples: ['throughline key revoke 0197f0c2-6d3e-7a51-9b0f-3c1d5e8a2b44'],
  input: z.object({ keyId: z.string() }),
  run: async ({ api, show }, { keyId }) => {
    const answer = await api.send({ method: 'DELETE', path: path`keys/${keyId}` });
    show(answer, () => `revoked key ${keyId}`);
  },
});
