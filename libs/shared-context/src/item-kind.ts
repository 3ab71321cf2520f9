/** The presentation of the items of a kind in the timeline of a view. */
type TimelineEntries<Section extends string> = Readonly<{
  section: Section;
  /** Members of the payload that the heading of an entry shows. */
  heading?: readonly string[];
  /** Default: always. Items that are still open are shown at the end of a view instead. */
  when?: 'completed' | 'not open';
}>;

type KindFacts<Section extends string> = Readonly<{
  /**
   * Whether rules compare or merge the body, or folds merge it. A decision loads items of other kinds without it: `body`
   * is then undefined in production, although it is present in specs.
   */
  rulesReadBody?: boolean;
  /**
   * Whether every event that concerns an item changes it, so that the sources of the item include all of them. Set it
   * only if that is certain: a read of an audience then finds the events of an item by its key, and does not fold the whole
   * stream. For other kinds, an event may leave no source in the item: it sets the same value, plans, addresses or
   * acknowledges again, or removes the item.
   */
  isTraced?: boolean;
  /** Absent if the timeline of a view does not show the kind. */
  view?: TimelineEntries<Section>;
}>;

type ItemKindDefinition<Kind extends string, Section extends string> = KindFacts<Section> &
  Readonly<{ kind: Kind }>;

export function defineItemKind<const Kind extends string, const Section extends string = never>(
  kind: Kind,
  facts: KindFacts<Section> = {},
): ItemKindDefinition<Kind, Section> {
  return { kind, ...facts };
}
