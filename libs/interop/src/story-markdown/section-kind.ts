/** The kind of a section of a story, by its heading. */
export type SectionKind =
  | 'title'
  | 'status'
  | 'statement'
  | 'criteria'
  | 'tasks'
  | 'decisions'
  | 'record'
  | 'review'
  | 'files'
  | 'changes'
  | 'other';

const kinds: readonly (readonly [RegExp, SectionKind])[] = [
  [/^status\b/, 'status'],
  [/^(user )?story( statement)?$/, 'statement'],
  [/^acceptance criteria\b/, 'criteria'],
  [/^(tasks?( ?\/ ?subtasks?)?|tasks (and|&) subtasks|implementation tasks)$/, 'tasks'],
  [/^decisions$/, 'decisions'],
  [/^(qa results|code review|senior developer review.*|qa review( summary)?)$/, 'review'],
  [/^change ?log$/, 'changes'],
  [/^file list$/, 'files'],
];

/** Sections that become one record, with the field for each subsection, by its heading. */
type FieldedKind = Readonly<{
  kind: 'dev-record' | 'kickoff-insights' | 'review-record' | 'retrospective' | 'uat';
  heading: RegExp;
  fields: Readonly<Record<string, RegExp>>;
}>;

const fieldedKinds: readonly FieldedKind[] = [
  {
    kind: 'dev-record',
    heading: /^dev(eloper)? (agent )?record$/,
    fields: {
      summary: /^(implementation summary|completion notes( list)?|summary)$/,
      filesCreated: /^(files created|created files)$/,
      filesModified: /^(files modified|modified files)$/,
      keyDecisions: /^key decisions$/,
      testsAdded: /^tests added$/,
      notesForReviewer: /^notes for (the )?reviewers?$/,
    },
  },
  {
    kind: 'kickoff-insights',
    heading: /^(story )?kickoff insights$/,
    fields: {
      notes: /^(architectural )?notes$/,
      strategy: /^(implementation )?strategy$/,
      testing: /^testing( approach)?$/,
      risks: /^(identified )?risks$/,
    },
  },
  {
    kind: 'review-record',
    heading: /^code review record$/,
    fields: {
      summary: /^(review )?summary$/,
      findings: /^(findings|issues found)$/,
      fixes: /^(fixes|fixes applied)$/,
      verification: /^verification$/,
      outcome: /^outcome$/,
    },
  },
  {
    kind: 'retrospective',
    heading: /^retrospective$/,
    fields: {
      summary: /^summary$/,
      successes: /^successes$/,
      challenges: /^challenges$/,
      insights: /^insights$/,
      actionItems: /^action items$/,
      agreements: /^agreements$/,
      technicalDebt: /^technical debt$/,
    },
  },
  {
    kind: 'uat',
    heading: /^(uat|user acceptance testing)$/,
    fields: {
      summary: /^summary$/,
      scenarios: /^scenarios$/,
      results: /^results$/,
      outcome: /^outcome$/,
    },
  },
];

/** A heading in lower case, without marks, signs and the number of a list at both ends. */
export function plainHeading(title: string): string {
  return title
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}/& ()-]+/gu, ' ')
    .replace(/\(ai\)/, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

export function sectionKind(title: string): SectionKind {
  const plain = plainHeading(title);
  if (fieldedKinds.some(({ heading }) => heading.test(plain))) return 'record';
  return kinds.find(([pattern]) => pattern.test(plain))?.[1] ?? 'other';
}

/** Whether a heading below the record of some work has a reserved meaning. */
export function isReserved(title: string): boolean {
  const plain = plainHeading(title);
  const fields = fieldedKinds.flatMap((one) => Object.values(one.fields));
  const isField = fields.some((pattern) => pattern.test(plain));
  return isField || /^agent model\b/.test(plain) || sectionKind(title) !== 'other';
}

export function fieldedKind(title: string): FieldedKind | undefined {
  const plain = plainHeading(title);
  return fieldedKinds.find(({ heading }) => heading.test(plain));
}
