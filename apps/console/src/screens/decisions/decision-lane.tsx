import { setParameters } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { visibleText } from '../../ui/visible-text.js';
import { DecisionCard } from './decision-card.js';
import { type Lane, type Supersession, supersessionsOf } from './lanes.js';

/** Decisions of a lane that are shown at first: the newest ones. */
const maxCards = 40;
/** Pixels from the left edge of a card to the next one; the style sheet has the same number. */
const cardStep = 304;
const cardWidth = 272;
const arrowHeight = 28;

/** The decisions of a topic side by side, with an arrow for each supersession. */
export function DecisionLane({
  contextId,
  lane,
  showAll,
}: Readonly<{ contextId: string; lane: Lane; showAll: boolean }>) {
  const { topic, decisions } = lane;
  const shown = showAll ? decisions : decisions.slice(-maxCards);
  const hidden = decisions.length - shown.length;
  const isDecided = decisions.some(({ status }) => status === 'live');
  return (
    <section className="lane">
      <h2>{topic === undefined ? 'Without a topic' : <AgentText text={topic} />}</h2>
      <p className="muted">
        {decisions.length === 1 ? '1 decision' : `${decisions.length} decisions, oldest first`}
        {!isDecided && ' · none is live'}
        {hidden > 0 && (
          <>
            {' · '}
            <button type="button" onClick={() => setParameters({ lane: topic ?? '-' })}>
              Show {hidden} earlier
            </button>
          </>
        )}
      </p>
      <div className="lane-cards" role="group" tabIndex={0} aria-label={labelOf(lane)}>
        <Arrows supersessions={supersessionsOf(shown)} cards={shown.length} />
        <ol>
          {shown.map((decision) => (
            <li key={decision.decisionId}>
              <DecisionCard contextId={contextId} decision={decision} />
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function labelOf({ topic }: Lane): string {
  return topic === undefined ? 'Decisions without a topic' : `Decisions on ${visibleText(topic)}`;
}

/** The cards state each supersession in words, so the arrows are hidden from screen readers. */
function Arrows({
  supersessions,
  cards,
}: Readonly<{ supersessions: readonly Supersession[]; cards: number }>) {
  if (supersessions.length === 0) return null;
  return (
    <svg width={cards * cardStep} height={arrowHeight} aria-hidden="true">
      {supersessions.map(({ from, to, proposed }) => (
        <g key={`${from}-${to}`} className={proposed ? 'arrow proposed' : 'arrow'}>
          <path d={arcOf(from, to)} />
          <path d={headOf(to)} className="arrow-head" />
        </g>
      ))}
    </svg>
  );
}

/** Leaves the right half of the older card and ends in the left half of the newer one. */
function arcOf(from: number, to: number): string {
  const start = from * cardStep + cardWidth * 0.75;
  const end = to * cardStep + cardWidth * 0.25;
  return `M${start} ${arrowHeight} V8 H${end} V${arrowHeight - 6}`;
}

function headOf(to: number): string {
  const x = to * cardStep + cardWidth * 0.25;
  return `M${x - 5} ${arrowHeight - 8} H${x + 5} L${x} ${arrowHeight} Z`;
}
