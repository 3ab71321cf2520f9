import { z } from 'zod';

import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { readFileText } from '../json-input.js';
import { renderFaults, verdictOn } from '../workflow/render-faults.js';

export const validateWorkflow = defineCommand({
  name: 'workflow validate',
  summary: 'Say what is wrong with a definition, without a server; exit code 2 if anything is',
  arguments: [
    ['<file>', 'JSON, with comments and trailing commas if you like; - reads standard input'],
  ],
  options: [['--strict', 'warnings fail the validation too']],
  examples: [
    'throughline workflow validate feature.json',
    'throughline workflow validate feature.json --strict',
    'throughline workflow validate feature.json --json | jq -r ".faults[].message"',
  ],
  input: z.object({ file: z.string(), strict: z.boolean().default(false) }),
  run: async ({ terminal, json }, { file, strict }) => {
    // Loaded here only: most commands do without it.
    const { readWorkflow } = await import('#workflow');
    const report = readWorkflow(await readFileText(file, terminal));
    const { faults, more, definition } = report;
    const isValid = definition !== undefined && (!strict || faults.length === 0);
    terminal.write(
      json ? JSON.stringify({ file, valid: isValid, faults, more }) : renderFaults(file, report),
    );
    if (!isValid) throw new UsageError(`${file} cannot be used: ${verdictOn(faults)}`);
  },
});
