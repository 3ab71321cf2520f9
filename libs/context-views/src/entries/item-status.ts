import { type JsonObject } from '#event-sourcing';
import {
  type Item,
  type StalePath,
  type Staleness,
  renderDecision,
  withGap,
} from '#shared-context';

import { inHeading } from './section.js';
import { codeSpan } from './quoted-text.js';

/** The staleness of items, and which superseded decisions the reader may see by name; default: all. */
export type StatusContext = Readonly<{
  staleness: Staleness;
  isNamed?: ((decisionId: string) => boolean) | undefined;
  /** Returns the outline of an item; default: a new one each time. */
  outline?: ((item: Item) => Item) | undefined;
}>;

const later: ReadonlyMap<string, string> = new Map([
  ['acknowledgedBy', 'acknowledged by'],
  ['clearedBy', 'cleared by'],
  ['providedBy', 'provided by'],
  ['updatedBy', 'updated by'],
]);

const inactive = 'inactive: no transformation derives it';

/** Labels of the status of an item, which its heading shows after ref and author. */
export function statusOfItem(
  item: Item,
  body: JsonObject,
  { staleness, isNamed = () => true }: StatusContext,
): readonly string[] {
  const rendered =
    item.kind === 'decision'
      ? decisionStatus(renderDecision(item, staleness), body)
      : payloadStatus(item, body);
  const path = staleness.pathOf(item);
  return path ? [...rendered, staleText(path, path.decisionIds.every(isNamed))] : rendered;
}

function staleText(path: StalePath, isNamed: boolean): string {
  const words = 'stale: it rests on a decision no longer in force';
  if (!isNamed) return words;
  const names = path.decisionIds.map((decisionId) => codeSpan(decisionId));
  return `${words}: ${withGap(names, path).join(' > ')}`;
}

function payloadStatus(item: Item, body: JsonObject): readonly string[] {
  if (item.kind === 'creation') return ['input of the context'];
  return (inHeading.get(item.kind) ?? [])
    .slice(item.kind === 'signal' ? 0 : 1)
    .flatMap((name) => {
      const value = body[name];
      return typeof value === 'string' ? [`${name} ${codeSpan(value)}`] : [];
    })
    .concat(item.kind === 'risk' ? [`status ${codeSpan(String(item.state['status']))}`] : [])
    .concat(item.state['active'] === false ? [inactive] : [])
    .concat(laterAuthors(item));
}

/** Other agents that have changed an item. */
function laterAuthors({ state }: Item): readonly string[] {
  return [...later].flatMap(([member, words]) => {
    const author = state[member];
    return typeof author === 'string' ? [`${words} ${codeSpan(author)}`] : [];
  });
}

function decisionStatus(rendered: JsonObject, body: JsonObject): readonly string[] {
  const { status, supersededBy } = rendered;
  return [
    String(status),
    ...(typeof supersededBy === 'string' ? [`by ${codeSpan(supersededBy)}`] : []),
    ...(typeof body['topic'] === 'string' ? [`topic ${codeSpan(body['topic'])}`] : []),
    ...(typeof body['supersedes'] === 'string'
      ? [`supersedes ${codeSpan(body['supersedes'])}`]
      : []),
  ];
}
