import { type RecordedOf } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemChange, type ItemLookup } from '../item.js';
import { asJson, defined } from '../json.js';
import { authorship } from '../listed-entry.js';
import { type GateResult, type Scores, checkKey, scoresKey, scoresOf } from './quality.item.js';

type GateEvent = RecordedOf<'GatePassed' | 'GateFailed'>;

export const qualityFolds: EventFolds<
  'AgentInputsChecked' | 'QualityScored' | 'GatePassed' | 'GateFailed'
> = {
  AgentInputsChecked: {
    touches: ({ data }) => [checkKey(data.agent)],
    fold: (event) => [
      {
        ...checkKey(event.data.agent),
        state: { version: event.version, visibility: event.visibility, ...authorship(event) },
        body: asJson(event.data),
      },
    ],
  },
  QualityScored: {
    touches: ({ data }) => [scoresKey(data.agent, data.output)],
    fold: (event) => [
      {
        ...scoresKey(event.data.agent, event.data.output),
        state: { version: event.version, ...authorship(event) },
        body: asJson({ ...event.data, gates: [] }),
      },
    ],
  },
  GatePassed: {
    touches: ({ data }) => [scoresKey(data.agent, data.output)],
    fold: (event, current) => [withGateResult(event, current)],
  },
  GateFailed: {
    touches: ({ data }) => [scoresKey(data.agent, data.output)],
    fold: (event, current) => [withGateResult(event, current)],
  },
};

/** The results of gates are stored with their scores; new scores replace them. */
function withGateResult(event: GateEvent, current: ItemLookup): ItemChange {
  const { agent, output, gate, for: asker, score, threshold } = event.data;
  const key = scoresKey(agent, output);
  const item = current(key.kind, key.key);
  const scores: Scores = item ? scoresOf(item) : { agent, output, scores: {}, gates: [] };
  const passed = event.type === 'GatePassed';
  const result: GateResult = defined({ gate, for: asker, passed, score, threshold });
  const others = scores.gates.filter((one) => one.gate !== gate || one.for !== asker);
  return {
    ...key,
    state: item?.state ?? { version: event.version, ...authorship(event) },
    body: asJson({ ...scores, gates: [...others, result] }),
  };
}
