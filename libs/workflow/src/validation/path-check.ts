import { type PathLookup } from '#expressions';

import { expressionRoots, outcomeFields, resultFields } from '../definition/expression-names.js';
import { kindOf } from '../definition/step-kinds.js';
import { type PlacedStep } from '../definition/step-tree.js';
import { absenceOf } from './absence.js';
import { type Availability } from './availability.js';
import { type DefinitionModel } from '../definition/definition-model.js';
import { type UnlocatedFault } from './fault.js';
import { didYouMean, suggest } from './suggest.js';

type PathCheckScope = Readonly<{
  model: DefinitionModel;
  availability: Availability;
  /** The step that reads; undefined at the end of a run. */
  reader: PlacedStep | undefined;
}>;

type ReportPath = (fault: Omit<UnlocatedFault, 'pointer'>) => void;

/** Checks that the paths in one expression can have values. */
export class PathCheck {
  constructor(
    private readonly scope: PathCheckScope,
    private readonly report: ReportPath,
  ) {}

  check(path: PathLookup): void {
    const [root = '', name] = path.names;
    if (!isRoot(root)) return this.#reportRoot(root, path);
    if (name === undefined) return;
    const members = expressionRoots[root];
    if (members !== 'any') this.#checkField(root, name, members, path);
    else if (root === 'results') this.#checkResult(name, path);
    else if (root === 'context') this.#checkContext(name, path);
  }

  #checkResult(name: string, path: PathLookup): void {
    const { model } = this.scope;
    const placed = model.stepOfId(name);
    if (!placed) return this.#reportStep(name, model.ids, path);
    const [, , field] = path.names;
    if (field !== undefined) this.#checkField(`results.${name}`, field, resultFields, path);
    this.#checkAbsence('outcome', placed, path);
  }

  #checkContext(name: string, path: PathLookup): void {
    const { model } = this.scope;
    if (model.initialNames.includes(name)) return;
    const placed = model.stepOfName(name);
    if (!placed) return this.#reportStep(name, model.names, path);
    const [, , field = ''] = path.names;
    const isOutcome = outcomeFields.has(field);
    if (isOutcome && kindOf(placed.step, model.kinds).hasOpenResult)
      this.#warnOfOutcome(placed.step.id, field, path);
    this.#checkAbsence(isOutcome ? 'outcome' : 'result', placed, path);
  }

  #checkAbsence(what: 'result' | 'outcome', of: PlacedStep, path: PathLookup): void {
    const { availability, reader } = this.scope;
    const state = availability.stateOf(what, of, reader);
    const isExpected = state === 'uncertain' && path.allowsAbsence;
    if (state === 'present' || isExpected) return;
    const absence = absenceOf({ text: path.names.slice(0, 2).join('.'), of, reader, state });
    const { at } = path;
    if (state === 'absent') return this.report({ code: 'never-available', message: absence, at });
    const message = `${absence}: handle that case, for example with ?? or == null`;
    this.report({ code: 'may-be-absent', message, at });
  }

  #warnOfOutcome(id: string, field: string, { names, at }: PathLookup): void {
    const message = `${names.slice(0, 3).join('.')} is the ${field} in the result of ${id} if it has one, otherwise that of the step: write results.${id}.${field} for the step`;
    this.report({ code: 'ambiguous-outcome', message, at });
  }

  #checkField(of: string, field: string, members: readonly string[], { at }: PathLookup): void {
    if (members.includes(field)) return;
    const message = `${of} has no ${field}: use one of ${members.join(', ')}`;
    this.report({ code: 'unknown-field', message, at, suggestion: suggest(field, members) });
  }

  #reportRoot(root: string, { at }: PathLookup): void {
    const { model } = this.scope;
    const roots = Object.keys(expressionRoots);
    const suggestion = model.names.includes(root) ? `context.${root}` : suggest(root, roots);
    const hint = suggestion === undefined ? `: use one of ${roots.join(', ')}` : '';
    const message = `${root} is not known in expressions${hint}${didYouMean(suggestion)}`;
    this.report({ code: 'unknown-name', message, at, suggestion });
  }

  #reportStep(name: string, known: readonly string[], { names, at }: PathLookup): void {
    const suggestion = suggest(name, known);
    const message = `${names[0]}.${name} never exists: no step is named ${name}${didYouMean(suggestion)}`;
    this.report({ code: 'unknown-step', message, at, suggestion });
  }
}

function isRoot(name: string): name is keyof typeof expressionRoots {
  return Object.hasOwn(expressionRoots, name);
}
