import { setParameters, useLocation } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { OriginalItem } from './original-item.js';
import { type ViewItem, formNames, sizeOf, widthsOf } from './view-item.js';
import { type ViewQuestion } from './view-question.js';

type ViewItemsProps = Readonly<{
  contextId: string;
  asOf: number | undefined;
  question: ViewQuestion;
  items: readonly ViewItem[];
  /** Refs that the view beside this one does not have. */
  only: ReadonlySet<string>;
  most: number;
}>;

/** A longer list renders only its visible rows. */
const maxPlain = 60;

/** The entries of a view in its order, with the tokens that each takes and would take. */
export function ViewItems({ items, ...props }: ViewItemsProps) {
  if (items.length === 0) return null;
  const row = (item: ViewItem) => <Item {...props} item={item} />;
  return (
    <>
      <h3>Tokens of each entry</h3>
      <p className="muted">
        Older outputs are shortened first. Live decisions, preferences, constraints and blockers are
        shortened last. Select an entry to read its original.
      </p>
      {items.length > maxPlain ? (
        <VirtualList label="Entries" items={items} keyOf={refOf} estimate={56} row={row} />
      ) : (
        <ol className="view-items" aria-label="Entries">
          {items.map((item) => (
            <li key={item.ref}>{row(item)}</li>
          ))}
        </ol>
      )}
    </>
  );
}

function refOf({ ref }: ViewItem): string {
  return ref;
}

function Item({
  item,
  only,
  most,
  ...reader
}: Omit<ViewItemsProps, 'items'> & Readonly<{ item: ViewItem }>) {
  const { parameters } = useLocation();
  const { ref, form } = item;
  const isOpen = parameters.get('item') === ref;
  const widths = widthsOf(item, most);
  return (
    <div className="view-item" data-form={form}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setParameters({ item: isOpen ? undefined : ref }, { replace: true })}
      >
        <AgentText text={ref} />
      </button>
      <span className="badge">{formNames[form]}</span>
      {only.has(ref) && <span className="badge attention">only in this view</span>}
      <span className="size">{sizeOf(item)}</span>
      <span className="token-bar" aria-hidden="true">
        <span className="full" style={{ width: `${widths.full}%` }} />
        <span className="shown" style={{ width: `${widths.shown}%` }} />
      </span>
      {isOpen && <OriginalItem {...reader} itemRef={ref} />}
    </div>
  );
}
