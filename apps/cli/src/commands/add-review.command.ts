import { UsageError } from '../cli-error.js';
import { contextArgument } from '../declared/address.js';
import { type Field, numberField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

const severities = ['low', 'medium', 'high', 'critical'];

const issues: Field = {
  member: 'keyIssues',
  flags: '--issue <issue...>',
  description: 'an issue, with an optional severity before a colon: "high: no tests"',
  encode: (value) => JSON.stringify([value].flat().map((text) => issueOf(String(text)))),
};

export const addReview = defineWrite({
  name: 'review add',
  summary: 'Record a review; its issues stay open until a later review addresses them',
  path: 'contexts/{context}/reviews',
  arguments: [contextArgument],
  fields: [
    required(textField('artifact', '[artifact]', 'the reviewed artifact')),
    required(
      textField(
        'status',
        '--status <status>',
        'APPROVED, APPROVED_WITH_FIXES, REJECTED_WITH_FEEDBACK or BLOCKED',
      ),
    ),
    issues,
    textField(
      'addresses',
      '--addresses <issue...>',
      'ids of earlier issues that this review addresses',
    ),
    textField('reviewer', '--reviewer <agent>', 'the reviewer (default: the author)'),
    textField('participants', '--participant <agent...>', 'agents that took part'),
    numberField('iteration', '--iteration <n>', 'number of the reviewed iteration'),
    textField(
      'gate',
      '--gate <outcome>',
      'outcome of its quality gate: PASS, CONCERNS, FAIL, WAIVED',
    ),
    textField('reason', '--reason <reason>', 'reason for the outcome of the gate'),
    textField('reviewFile', '--review-file <path>', 'path of the complete review'),
    textField('reviewId', '--id <review>', 'id of the review (default: generated)'),
  ],
  done: 'recorded review {reviewId}',
  examples: [
    'throughline review add demo src/cart.ts --status APPROVED --addresses REV-1.1',
    'throughline review add demo src/cart.ts --status REJECTED_WITH_FEEDBACK --issue "high: no tests" "low: long names"',
    'throughline review add demo --file review.json',
  ],
});

/** The server sets a default if no severity is given. */
function issueOf(option: string): Readonly<{ severity?: string; text: string }> {
  const [, severity, text] = /^(low|medium|high|critical):\s*(.*)$/s.exec(option) ?? [];
  if (severity === undefined || text === undefined) return { text: option };
  if (text !== '') return { severity, text };
  throw new UsageError(
    `--issue: ${option} has no text`,
    `write the text of the issue after its severity, which is one of ${severities.join(', ')}`,
  );
}
