import { z } from 'zod';

import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type Item, type ItemLookup } from './item.js';
import { type ItemKind } from './item-kinds.js';
import { type Activity } from './outcome/activity.js';
import { type RegisteredAgent } from './registered-agent.js';

/** A list of objects, as the OpenAPI document describes it. */
export const listSchema = z.array(z.looseObject({}));

/** Values by name, as the OpenAPI document describes them. */
export const mapSchema = z.record(z.string(), z.unknown());

/** Facts about the context that its items do not hold. */
export type DocumentFacts = Readonly<{
  workspace: string;
  contextId: string;
  version: number;
  lastModifiedAt: string;
  lastModifiedBy: string;
  size: Readonly<{ events: number; bytes: number; tokens: number }>;
  /** The agents of the workspace as they were registered when the context was last written to. */
  registry?: readonly RegisteredAgent[] | undefined;
  /** The activity of the context, if it is known without the items that it is computed from. */
  activity?: Activity | undefined;
  /** False if the items come from rows of an earlier projection version, which do not count work; default: true. */
  counted?: boolean | undefined;
}>;

/** What the parts of a document are rendered from beside their items. */
type Beside = Readonly<{ facts: DocumentFacts; current: ItemLookup }>;

type Render<Rendered> = (items: readonly Item[], beside: Beside) => Rendered;

/** How one item of a kind is rendered by itself, and the name of the list that comparisons report it in. */
export type ListedKind = Readonly<{
  kind: ItemKind;
  list: string;
  render: (item: Item) => JsonObject;
}>;

/**
 * How a searched member is composed: of the `creation` or the `life` of a context; a `map` with one entry for each item, by its
 * name; a `list` with one entry for each item; an object of such `lists`.
 */
type MemberShape = 'creation' | 'life' | 'map' | 'list' | 'lists';

export type SearchedMember = Readonly<{
  shape: MemberShape;
  /** Whether names within it are searched, as in free JSON. Elsewhere they are names of the contract. */
  named?: boolean;
  /** Members of an entry that also depend on other items, and are not searched. */
  except?: readonly string[];
  /** The names of the lists, for the shape `lists`. */
  lists?: readonly string[];
}>;

export type DocumentMember = Readonly<{
  /** As the OpenAPI document describes the member. */
  schema: z.ZodType;
  /**
   * Null if the member is not searched: it is computed from many items (current state, metrics, agents), or is not of the items
   * (children, sizes, versions).
   */
  searched: SearchedMember | null;
}>;

/** Members of the document that are rendered together. */
export type DocumentPart = Readonly<{
  /** By name, in their order. */
  members: Readonly<Record<string, DocumentMember>>;
  /** Kinds of the items whose payloads it shows. */
  kinds: readonly ItemKind[];
  /** Kinds of which it needs the state alone. */
  states?: readonly ItemKind[];
  /** Whether the part shows the activity, which is computed from items of many kinds unless it is known. */
  activity?: boolean;
  /** Kinds whose entries are one item each and say nothing about each other, so that each is compared by itself. */
  listed?: readonly ListedKind[];
  render: Render<JsonObject>;
}>;

/** A part that is one member. */
export function memberPart(
  member: string,
  {
    schema,
    searched,
    render,
    ...part
  }: Omit<DocumentPart, 'members' | 'render'> &
    DocumentMember &
    Readonly<{ render: Render<JsonValue> }>,
): DocumentPart {
  return {
    members: { [member]: { schema, searched } },
    ...part,
    render: (items, beside) => ({ [member]: render(items, beside) }),
  };
}
