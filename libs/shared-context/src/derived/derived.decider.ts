import { type CommandRules } from '../command-rule.js';
import { type DeriveValue } from '../context.command.js';
import { type Item } from '../item.js';
import { jsonEquals } from '../json.js';
import { completionOf } from '../lineage/automatic-checkpoint.js';
import { derivedFacts, derivedKey } from './derived.item.js';

export const derivedRules: CommandRules<'DeriveValue'> = {
  DeriveValue: {
    /** A value that is derived from a completion belongs to that completion. */
    reads: ({ data, author }) => [derivedKey(data.path), completionOf(author)],
    /** The same value from newer sources is not a change, but another visibility is. */
    decide: (command, current) =>
      isUnchanged(command, current('derived', command.data.path))
        ? []
        : [{ type: 'ValueDerived', data: command.data }],
  },
};

function isUnchanged(
  { data, visibility = 'record' }: DeriveValue,
  item: Item | undefined,
): boolean {
  if (!item) return false;
  const { value, problem, transformation } = derivedFacts(item);
  return (
    jsonEquals(value, data.value) &&
    problem === data.problem &&
    transformation === data.transformation &&
    item.state['visibility'] === visibility
  );
}
