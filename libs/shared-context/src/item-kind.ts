/** How the timeline of a view shows the items of a kind. */
type ShownItems<Section extends string> = Readonly<{
  section: Section;
  /** Members of the payload shown in the heading of an entry. */
  heading?: readonly string[];
  /** Default: always. Items that are still open are shown at the end of a view instead. */
  when?: 'completed' | 'not open';
}>;

type Facts<Section extends string> = Readonly<{
  /** Whether rules compare or merge the payload. Of other kinds they look at the state alone. */
  rulesReadBody?: boolean;
  /**
   * Whether every event that concerns an item changes it, so that its sources include all of them. Of other kinds an event may
   * leave an item as it is: it is set to the same value, planned, addressed or acknowledged again, or taken out. Without
   * hidden events the item could look different.
   */
  isTraced?: boolean;
  /** Left out for kinds that the timeline of a view does not show. */
  view?: ShownItems<Section>;
}>;

type ItemKindDefinition<Kind extends string, Section extends string> = Facts<Section> &
  Readonly<{ kind: Kind }>;

export function defineItemKind<const Kind extends string, const Section extends string = never>(
  kind: Kind,
  facts: Facts<Section> = {},
): ItemKindDefinition<Kind, Section> {
  return { kind, ...facts };
}
