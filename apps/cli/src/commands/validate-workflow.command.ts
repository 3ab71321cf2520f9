import { z } from 'zod';

import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { readFileText } from '../json-input.js';
import { renderFaults, verdictOn } from '../workflow/render-faults.js';

export const validateWorkflow = defineCommand({
  name: 'workflow validate',
  summary:
    'Report the faults of a workflow definition, without a server; exit code 2 if there are errors',
  arguments: [
    ['<file>', 'JSON, optionally with comments and trailing commas; - reads standard input'],
  ],
  options: [['--strict', 'treat warnings as errors']],
  examples: [
    'throughline workflow validate feature.json',
    'throughline workflow validate feature.json --strict',
    'throughline workflow validate feature.json --json | jq -r ".faults[].message"',
  ],
  input: z.object({ file: z.string(), strict: z.boolean().default(false) }),
  run: async ({ terminal, json }, { file, strict }) => {
    // Loaded lazily: most commands do not need it.
    const { readWorkflow } = await import('#workflow');
    const report = readWorkflow(await readFileText(file, terminal));
    const { faults, more, definition } = report;
    const isValid = definition !== undefined && (!strict || faults.length === 0);
    terminal.write(
      json ? JSON.stringify({ file, valid: isValid, faults, more }) : renderFaults(file, report),
    );
    if (!isValid) throw new UsageError(`${file} is not valid: ${verdictOn(faults)}`);
  },
});
