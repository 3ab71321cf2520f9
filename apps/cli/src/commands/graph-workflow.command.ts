import { z } from 'zod';

import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { readFileText } from '../json-input.js';
import { renderFaults } from '../workflow/render-faults.js';

export const graphWorkflow = defineCommand({
  name: 'workflow graph',
  summary: 'Print a definition as a Mermaid flowchart, without a server',
  arguments: [['<file>', 'a workflow definition; - reads standard input']],
  examples: [
    'throughline workflow graph feature.json',
    'throughline workflow graph feature.json > feature.mmd',
  ],
  input: z.object({ file: z.string() }),
  run: async ({ terminal, json }, { file }) => {
    // Loaded lazily: most commands do not need it.
    const { readWorkflow, renderMermaid } = await import('#workflow');
    const report = readWorkflow(await readFileText(file, terminal));
    if (!report.definition)
      throw new UsageError(
        `only a definition without errors can be drawn\n${renderFaults(file, report)}`,
      );
    const mermaid = renderMermaid(report.definition);
    terminal.write(json ? JSON.stringify({ file, mermaid }) : mermaid.trimEnd());
  },
});
