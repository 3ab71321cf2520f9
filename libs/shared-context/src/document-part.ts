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

/** Facts about the context that its items do not contain. */
export type DocumentFacts = Readonly<{
  workspace: string;
  contextId: string;
  version: number;
  lastModifiedAt: string;
  lastModifiedBy: string;
  size: Readonly<{ events: number; bytes: number; tokens: number }>;
  /** The agents of the workspace as they were registered when the context was last written to. */
  registry?: readonly RegisteredAgent[] | undefined;
  /** The activity of the context, if the caller has it; otherwise it is computed from the items. */
  activity?: Activity | undefined;
  /** False if the items come from rows of an earlier projection version, which do not count work; default: true. */
  counted?: boolean | undefined;
}>;

/** Further input for rendering the parts of a document, in addition to their items. */
type RenderInput = Readonly<{ facts: DocumentFacts; current: ItemLookup }>;

type Render<Rendered> = (items: readonly Item[], input: RenderInput) => Rendered;

/** Renders one item of a kind by itself; `list`: the name of the list in which comparisons report it. */
export type ListedKind = Readonly<{
  kind: ItemKind;
  list: string;
  render: (item: Item) => JsonObject;
}>;

/**
 * The composition of a searched member: from the `creation` or the `life` of a context; a `map` with one entry per
 * item, by name; a `list` with one entry per item; an object of such `lists`.
 */
type MemberShape = 'creation' | 'life' | 'map' | 'list' | 'lists';

export type SearchedMember = Readonly<{
  shape: MemberShape;
  /** Whether the names of its members are searched, as in free JSON. Other names belong to the HTTP contract. */
  named?: boolean;
  /** Members of an entry that also depend on other items, and are not searched. */
  except?: readonly string[];
  /** The names of the lists, for the shape `lists`. */
  lists?: readonly string[];
}>;

export type DocumentMember = Readonly<{
  /** The schema of the member in the OpenAPI document. */
  schema: z.ZodType;
  /**
   * Null if the member is not searched: it is computed from many items (current state, metrics, agents), or not from
   * items at all (children, sizes, versions).
   */
  searched: SearchedMember | null;
}>;

/** Members of the document that are rendered together. */
export type DocumentPart = Readonly<{
  /** By name, in the order of the document. */
  members: Readonly<Record<string, DocumentMember>>;
  /** Kinds of the items that are rendered with their bodies. */
  kinds: readonly ItemKind[];
  /** Kinds of the items that are rendered from their states alone. */
  states?: readonly ItemKind[];
  /** Whether the part shows the activity, which is computed from items of many kinds unless the caller has it. */
  activity?: boolean;
  /** Kinds with one independent entry per item, so that each entry can be compared by itself. */
  listed?: readonly ListedKind[];
  render: Render<JsonObject>;
}>;

/** A part that consists of one member. */
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
    render: (items, input) => ({ [member]: render(items, input) }),
  };
}
