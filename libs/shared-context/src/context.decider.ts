import { type Decider } from '#event-sourcing';

import { artifactRules } from './artifacts/artifact.decider.js';
import { type CommandRule, type CommandRules, type Reference } from './command-rule.js';
import { type CommandType, type ContextCommand } from './context.command.js';
import { RuleViolationError } from './context.errors.js';
import { type NewContextEvent, type RecordedContextEvent } from './context.events.js';
import { ContextState } from './context-state.js';
import { decisionRules } from './decisions/decision.decider.js';
import { derivedRules } from './derived/derived.decider.js';
import { globalRules } from './global/global.decider.js';
import { handoverRules } from './handovers/handover.decider.js';
import { inputRequestRules } from './input-requests/input-request.decider.js';
import { type ItemKey, type ItemLookup } from './item.js';
import { type ItemKind, itemKindDefinitions } from './item-kinds.js';
import { defined } from './json.js';
import { lifeRules, requireLife } from './life/life.decider.js';
import { lifeKey } from './life/life.fold.js';
import { loopRules } from './loops/loop.decider.js';
import { baselineRules } from './metrics/baseline.decider.js';
import { idFault } from './payload.schema.js';
import { phaseRules } from './phases/phase.decider.js';
import { planRules } from './plan/plan.decider.js';
import { qualityRules } from './quality/quality.decider.js';
import { recordRules } from './records/record.decider.js';
import { reviewRules } from './reviews/review.decider.js';
import { runRules } from './runs/run.decider.js';
import { signalRules } from './signals/signal.decider.js';
import { sourceRules } from './sources/source-document.decider.js';
import { stepRules } from './steps/step.decider.js';
import { summaryRules } from './summaries/summary.decider.js';
import { taskRules } from './tasks/task.decider.js';
import { lineageRules } from './lineage/lineage.decider.js';

const rules: CommandRules<CommandType> = {
  ...lifeRules,
  ...globalRules,
  ...stepRules,
  ...taskRules,
  ...phaseRules,
  ...loopRules,
  ...baselineRules,
  ...decisionRules,
  ...artifactRules,
  ...handoverRules,
  ...inputRequestRules,
  ...planRules,
  ...reviewRules,
  ...recordRules,
  ...signalRules,
  ...qualityRules,
  ...derivedRules,
  ...summaryRules,
  ...sourceRules,
  ...lineageRules,
  ...runRules,
};

const kindsWithBody: ReadonlySet<ItemKind> = new Set(
  itemKindDefinitions.flatMap(({ kind, rulesReadBody }) => (rulesReadBody ? [kind] : [])),
);

/**
 * The items to load before a command is decided: deciding, or folding the decided events, may read them. Their
 * number depends on the command, not on the length of the history.
 *
 * Some keys depend on other items. Load the items and call this again with them, until it returns no new keys (two
 * rounds).
 */
export function requiredKeys(command: ContextCommand, known: ItemLookup): readonly ItemKey[] {
  const { reads } = ruleOf(command);
  return [lifeKey, ...reads(command, known), ...unusualReferences(command).map(({ item }) => item)];
}

/** The items that must exist, and be visible to the writer, for a command to be accepted. */
export function namedKeys(command: ContextCommand): readonly ItemKey[] {
  const names = ruleOf(command).names?.(command) ?? [];
  return [...names, ...unusualReferences(command).map(({ item }) => item)];
}

/** The references of a command with ids that clients may not choose: they are accepted only if their items exist. */
function unusualReferences(command: ContextCommand): readonly Reference[] {
  const references = ruleOf(command).refersTo?.(command) ?? [];
  return references.filter(({ item }) => idFault(item.key) !== undefined);
}

function requireReferences(command: ContextCommand, current: ItemLookup): void {
  for (const { pointer, item } of unusualReferences(command)) {
    const fault = idFault(item.key);
    if (fault !== undefined && !current(item.kind, item.key))
      throw new RuleViolationError(pointer, fault);
  }
}

/** Whether rules read the bodies of items of a kind. */
export function itemNeedsBody(kind: ItemKind): boolean {
  return kindsWithBody.has(kind);
}

/**
 * Decides a command. Returns the new events, or `[]` if the command changes nothing. Throws ContextNotFoundError,
 * ContextExistsError or ContextClosedError, then the errors of the command's own rule.
 */
export function decideContext(
  command: ContextCommand,
  current: ItemLookup,
): readonly NewContextEvent[] {
  requireLife(command, current);
  requireReferences(command, current);
  // A member that is undefined counts as absent. Removing such members does not change the type.
  const stated = { ...command, data: defined(command.data) } as ContextCommand;
  return ruleOf(command)
    .decide(stated, current)
    .map((event) => ({ visibility: command.visibility ?? 'record', ...event }));
}

/** `decide` needs only a lookup and not a full state, as a writer may see only a part of the items. */
export const contextDecider = {
  initialState: () => ContextState.from([]),
  evolve: (state: ContextState, event: RecordedContextEvent) => state.apply(event),
  decide: (command: ContextCommand, { lookup }: Pick<ContextState, 'lookup'>) =>
    decideContext(command, lookup),
} satisfies Decider<ContextState, ContextCommand, NewContextEvent, RecordedContextEvent>;

function ruleOf({ type }: ContextCommand): CommandRule<CommandType> {
  // The table is keyed by command type, so the rule accepts this command.
  return rules[type] as unknown as CommandRule<CommandType>;
}
