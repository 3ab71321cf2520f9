import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { CliError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { countOf } from '../rate.js';
import { printableLine } from '../printable.js';

const report = z.looseObject({
  contextId: z.string(),
  version: z.number(),
  ok: z.boolean(),
  findings: z.array(
    z.looseObject({
      code: z.string(),
      severity: z.string(),
      ref: z.string(),
      detail: z.string(),
    }),
  ),
});

type Report = z.output<typeof report>;

export const check = defineCommand({
  name: 'check',
  summary: 'Check the consistency of a context; exit code 1 if there are errors',
  arguments: [['<context>', 'id of the context']],
  options: [
    ['--require <part...>', 'parts that must not be empty, such as decisionHistory'],
    ['--strict', 'treat warnings as errors'],
    ['--as-of <position>', 'a version, or a time with offset as RFC 3339'],
  ],
  examples: [
    'throughline check demo',
    'throughline check demo --require decisionHistory globalContext.constraints',
    'throughline check demo --strict',
    'throughline check demo --json | jq -r ".findings[].ref"',
  ],
  input: z.object({
    context: z.string(),
    require: z.array(z.string()).optional(),
    strict: z.boolean().default(false),
    asOf: z.string().optional(),
  }),
  run: async ({ api, show }, { context, require, strict, asOf }) => {
    const query = { require: require?.join(','), asOf };
    const answer = await api.send({ path: path`contexts/${context}/check`, query });
    const result = parseAnswer(report, answer);
    show(answer, () => render(result));
    if (!result.ok || (strict && result.findings.length > 0))
      throw new CliError(`${context} is not consistent`);
  },
});

function render({ contextId, version, findings }: Report): string {
  const title = `${contextId}  version ${version}: ${verdictOn(findings)}`;
  if (findings.length === 0) return title;
  const width = findings.reduce((widest, { code }) => Math.max(widest, code.length), 0);
  const lines = findings.map(
    ({ severity, code, ref, detail }) =>
      `${severity.padEnd('warning'.length)}  ${code.padEnd(width)}  ${ref}: ${detail}`,
  );
  return [title, ...lines.map(onOneLine)].join('\n');
}

/** Never shortened: the log of a pipeline must contain the complete finding. */
function onOneLine(line: string): string {
  return printableLine(line);
}

function verdictOn(findings: Report['findings']): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  if (findings.length === 0) return 'no errors and no warnings';
  return `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}`;
}
