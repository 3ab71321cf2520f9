import {
  type Failure,
  type Item,
  type ItemKey,
  type ItemLookup,
  type Source,
  type StepResult,
  findRunStep,
  runInputKey,
  runStepKey,
  stepFailureKey,
  stepOutputKey,
} from '#shared-context';
import { type VisibilityFilter, type HasFailed, failuresBy } from '#visibility';
import { type CompiledWorkflow, type RunVisibility } from '#workflow';

/** `makers`: the sources of {@link untracedResults}, by version. */
export type RunContents = Readonly<{
  workflow: Pick<CompiledWorkflow, 'steps'>;
  current: ItemLookup;
  makers?: ReadonlyMap<number, Source>;
}>;

/**
 * Decides what an audience sees of a run, by the sources of its items. If an item may come from any of several events, the
 * audience sees it only if it sees all of them.
 */
export function visibilityOf(filter: VisibilityFilter, run: RunContents): RunVisibility {
  return new PolicyVisibility(filter, run);
}

/** The keys of the items outside the run that {@link visibilityOf} reads for this filter. */
export function visibilityKeys(
  filter: VisibilityFilter | undefined,
  { steps }: Pick<CompiledWorkflow, 'steps'>,
): readonly ItemKey[] {
  return filter?.dependsOnFailures ? Object.keys(steps).map(stepFailureKey) : [];
}

/**
 * The versions of results whose sources no item states: replaced outputs that branches still read, and items with more than 64
 * different sources, such as parallel steps with many branches.
 */
export function untracedResults({ workflow, current }: RunContents): readonly number[] {
  return Object.keys(workflow.steps).flatMap((stepId) => {
    const [step, output] = [runStepKey(stepId), stepOutputKey(stepId)].map(({ kind, key }) =>
      current(kind, key),
    );
    const isTraced = ({ hasOutput, version }: StepResult) =>
      hasOutput ? output?.fromVersion === version && output.sources : step?.sources;
    const results = findRunStep(stepId, current)?.results ?? [];
    return results.filter((result) => !isTraced(result)).map(({ version }) => version);
  });
}

const failures: ReadonlySet<Source['type']> = new Set(['StepAttemptFailed', 'StepAttemptTimedOut']);
const routings: ReadonlySet<Source['type']> = new Set(['StepRouted']);
const verdicts: ReadonlySet<Source['type']> = new Set(['ApprovalDecided']);

class PolicyVisibility implements RunVisibility {
  readonly #hasFailed: HasFailed;

  constructor(
    private readonly filter: VisibilityFilter,
    private readonly run: RunContents,
  ) {
    this.#hasFailed = failuresBy(filter, run.current);
  }

  result(stepId: string, result: StepResult): StepResult | undefined {
    if (!this.#showsResult(stepId, result)) return undefined;
    return this.#all(this.#own(stepId, verdicts)) ? result : withoutComment(result);
  }

  showsInput(): boolean {
    return this.#all(this.#sources(runInputKey).slice(-1));
  }

  /**
   * Until the step is visited again, its item states whether an attempt or the interpreter has failed; after that, both
   * must be visible.
   */
  showsFailure({ stepId, path }: Failure): boolean {
    const step = findRunStep(stepId, this.run.current);
    const result = step?.results.find((each) => each.path === path);
    if (step?.path !== path || !result)
      return this.#all(this.#own(stepId, new Set([...failures, ...routings])));
    return step.failure === null
      ? this.#showsResult(stepId, result)
      : this.#all(this.#own(stepId, failures));
  }

  /** All decisions of people must be visible, because the item does not state to which decision the comment belongs. */
  showsFeedback(): boolean {
    const { workflow, current } = this.run;
    const decidable = Object.values(workflow.steps).filter(
      ({ type }) => type === 'approval' || type === 'agent',
    );
    return decidable.every(({ id }) => {
      const { kind, key } = runStepKey(id);
      return current(kind, key)?.sources && this.#own(id, verdicts).every(this.#shows);
    });
  }

  #showsResult(stepId: string, { hasOutput, version }: StepResult): boolean {
    const maker = this.run.makers?.get(version);
    if (maker) return this.#shows(maker);
    if (!hasOutput) return this.#all(this.#own(stepId, routings));
    const { kind, key } = stepOutputKey(stepId);
    const isNewest = this.run.current(kind, key)?.fromVersion === version;
    return isNewest && this.#all(this.#sources({ kind, key }).slice(-1));
  }

  #all(sources: readonly Source[]): boolean {
    return sources.length > 0 && sources.every(this.#shows);
  }

  readonly #shows = (source: Source): boolean => this.filter.shows(source, this.#hasFailed);

  /** Only the events of the step itself: events of following and of inner steps change its item too. */
  #own(stepId: string, types: ReadonlySet<Source['type']>): readonly Source[] {
    const sources = this.#sources(runStepKey(stepId));
    return sources.filter(({ type, step }) => step === stepId && types.has(type));
  }

  /** Empty if the item has too many sources to store them. */
  #sources({ kind, key }: ItemKey): NonNullable<Item['sources']> {
    return this.run.current(kind, key)?.sources ?? [];
  }
}

function withoutComment({ comment: _, ...result }: StepResult): StepResult {
  return result;
}
