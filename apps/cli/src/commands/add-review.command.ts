import { UsageError } from '../cli-error.js';
import { contextArgument } from '../declared/address.js';
import { type Field, numberField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

const severities = ['low', 'medium', 'high', 'critical'];

const issues: Field = {
  member: 'keyIssues',
  flags: '--issue <issue...>',
  description: 'what is wrong, with its severity before a colon: "high: no tests"',
  encode: (given) => JSON.stringify([given].flat().map((text) => issueOf(String(text)))),
};

export const addReview = defineWrite({
  name: 'review add',
  summary: 'Record a review; its issues stay open until a later one addresses them',
  path: 'contexts/{context}/reviews',
  arguments: [contextArgument],
  fields: [
    required(textField('artifact', '[artifact]', 'what was reviewed')),
    required(
      textField(
        'status',
        '--status <status>',
        'APPROVED, APPROVED_WITH_FIXES, REJECTED_WITH_FEEDBACK or BLOCKED',
      ),
    ),
    issues,
    textField('addresses', '--addresses <issue...>', 'earlier issues that are dealt with'),
    textField('reviewer', '--reviewer <agent>', 'who has reviewed it (default: the author)'),
    textField('participants', '--participant <agent...>', 'who took part'),
    numberField('iteration', '--iteration <n>', 'the iteration that was reviewed'),
    textField(
      'gate',
      '--gate <outcome>',
      'outcome of its quality gate: PASS, CONCERNS, FAIL, WAIVED',
    ),
    textField('reason', '--reason <reason>', 'why the gate has this outcome'),
    textField('reviewFile', '--review-file <path>', 'where the whole review is'),
    textField('reviewId', '--id <review>', 'id of the review (default: one is made)'),
  ],
  done: 'recorded review {reviewId}',
  examples: [
    'throughline review add demo src/cart.ts --status APPROVED --addresses REV-1.1',
    'throughline review add demo src/cart.ts --status REJECTED_WITH_FEEDBACK --issue "high: no tests" "low: long names"',
    'throughline review add demo --file review.json',
  ],
});

/** Without a severity the server states one. */
function issueOf(given: string): Readonly<{ severity?: string; text: string }> {
  const [, severity, text] = /^(low|medium|high|critical):\s*(.*)$/s.exec(given) ?? [];
  if (severity === undefined || text === undefined) return { text: given };
  if (text !== '') return { severity, text };
  throw new UsageError(
    `--issue: ${given} says nothing`,
    `write the issue behind its severity, one of ${severities.join(', ')}`,
  );
}
