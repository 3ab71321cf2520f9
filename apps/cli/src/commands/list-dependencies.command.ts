import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { contextArgument } from '../declared/address.js';
import { asOfOption, audienceOption, defineRead } from '../declared/read-command.js';
import { formatTable } from '../table.js';

const names = z.array(z.looseObject({ name: z.string() })).default([]);
const document = z.looseObject({
  dependencies: z.looseObject({ external: names, internal: names }).optional(),
});

export const listDependencies = defineRead({
  name: 'dependency list',
  summary: 'List the dependencies of a context',
  path: 'contexts/{context}',
  query: { parts: 'dependencies' },
  arguments: [contextArgument],
  options: [asOfOption, audienceOption],
  examples: ['throughline dependency list demo'],
  render: (answer) => {
    const { external = [], internal = [] } = parseAnswer(document, answer).dependencies ?? {};
    const rows = [
      ...external.map(({ name }) => [name, 'external']),
      ...internal.map(({ name }) => [name, 'internal']),
    ];
    return rows.length === 0 ? 'no dependencies' : formatTable(['DEPENDENCY', 'KIND'], rows);
  },
});
