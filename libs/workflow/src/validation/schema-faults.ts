import { type z } from 'zod';

import { inWords, knownMembers, parseBounded } from '#event-sourcing';

import { jsonPointer } from '../authoring/json-pointer.js';
import { commonFields } from '../definition/fields.schema.js';
import { type StepKinds } from '../definition/step-kind.js';
import { type WorkflowDefinition, workflowSchema } from '../definition/workflow.schema.js';
import { type Report } from './fault.js';
import { didYouMean, suggest } from './suggest.js';

type Issue = z.core.$ZodIssue;

/** Returns the definition if it matches its schema; otherwise reports the mismatches. */
export function parseDefinition(
  value: unknown,
  kinds: StepKinds,
  report: Report,
): WorkflowDefinition | undefined {
  const schema = workflowSchema(kinds);
  const parsed = parseBounded(schema, value, inWords);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.issues) new IssueReport({ schema, value, kinds }, report).add(issue);
  return undefined;
}

type IssueScope = Readonly<{ schema: z.core.$ZodType; value: unknown; kinds: StepKinds }>;

class IssueReport {
  constructor(
    private readonly scope: IssueScope,
    private readonly report: Report,
  ) {}

  add(issue: Issue): void {
    const pointer = jsonPointer(issue.path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.forEach((name) => this.#reportUnknown(issue.path, name));
    if (isUnknownType(issue)) return this.#reportType(issue.path, pointer);
    if (isMissing(issue, this.scope.value)) return this.#reportMissing(issue);
    const inner = issuesOfIntendedForm(issue);
    if (inner.length > 0) return inner.forEach((each) => this.add(each));
    this.report({ code: 'invalid-member', message: wordsOf(issue), pointer });
  }

  #reportUnknown(path: readonly PropertyKey[], name: string): void {
    const { schema, value } = this.scope;
    const suggestion = suggest(name, knownMembers(schema, value, path));
    const message = `${name} ${this.#whyUnknown(path, name, suggestion)}`;
    const pointer = jsonPointer([...path, name]);
    this.report({ code: 'unknown-member', message, pointer, suggestion, at: 'name' });
  }

  #whyUnknown(path: readonly PropertyKey[], name: string, suggestion: string | undefined): string {
    if (path.length === 0 && name === 'type')
      return 'is a member of steps: put this step into the list "steps" of a workflow';
    const owners = suggestion === undefined ? this.#typesWith(name) : [];
    return owners.length > 0
      ? `belongs to steps of type ${owners.join(' and ')}`
      : `is not known here${didYouMean(suggestion)}`;
  }

  /** The step types with a member that is not common to all steps. */
  #typesWith(member: string): readonly string[] {
    const { kinds } = this.scope;
    if (Object.hasOwn(commonFields, member)) return [];
    return Object.values(kinds).flatMap(({ type, ownMembers }) =>
      ownMembers.includes(member) ? [type] : [],
    );
  }

  #reportType(path: readonly PropertyKey[], pointer: string): void {
    const types = Object.keys(this.scope.kinds);
    const type = valueAt(this.scope.value, path);
    if (type === undefined)
      return this.report({
        code: 'missing-member',
        pointer: jsonPointer(path.slice(0, -1)),
        message: `type is required: one of ${types.join(', ')}`,
      });
    const suggestion = typeof type === 'string' ? suggest(type, types) : undefined;
    const message = `there is no such type of step: write one of ${types.join(', ')}${didYouMean(suggestion)}`;
    this.report({ code: 'unknown-step-type', message, pointer, suggestion });
  }

  #reportMissing(issue: Issue): void {
    const name = String(issue.path.at(-1) ?? 'a definition');
    this.report({
      code: 'missing-member',
      message: `${name} is required`,
      pointer: jsonPointer(issue.path.slice(0, -1)),
    });
  }
}

/** For a value that may have several forms, the issues of the form with the type of the value. */
function issuesOfIntendedForm(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [];
  const ofItsType = issue.errors.filter((issues) =>
    issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0),
  );
  const [form = []] = ofItsType.length === 1 ? ofItsType : [];
  return form.map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
}

function isUnknownType(issue: Issue): boolean {
  return issue.code === 'invalid_union' && 'discriminator' in issue;
}

function isMissing(issue: Issue, value: unknown): boolean {
  const parent = valueAt(value, issue.path.slice(0, -1));
  return (
    issue.path.length > 0 &&
    typeof parent === 'object' &&
    !Array.isArray(parent) &&
    valueAt(value, issue.path) === undefined
  );
}

function wordsOf({ path, message }: Issue): string {
  const name = path.findLast((step) => typeof step === 'string');
  return `${name === undefined ? 'the definition' : String(name)} ${message}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (inner: unknown, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? Reflect.get(inner, name)
        : undefined,
    value,
  );
}
