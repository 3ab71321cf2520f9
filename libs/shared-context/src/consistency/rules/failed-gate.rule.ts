import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type Finding, warning } from '../finding.js';
import { memberOf } from '../payload.js';

/** Reports outputs whose latest version fails a quality gate. `document`: the rendered items. */
export function failedGates(document: JsonObject): readonly Finding[] {
  return membersOf(
    ['quality', 'outputs'].reduce<JsonValue | undefined>(memberOf, document),
  ).flatMap(([agent, outputs]) =>
    membersOf(outputs)
      .filter(([, judged]) => memberOf(judged, 'current') === true)
      .flatMap(([output, judged]) =>
        failedGateTexts(judged).map((gate) =>
          warning('gate-failed', `output:${agent}.${output}`, gate),
        ),
      ),
  );
}

function failedGateTexts(judged: JsonValue): readonly string[] {
  const gates = memberOf(judged, 'gates');
  return (Array.isArray(gates) ? gates : [])
    .filter(isJsonObject)
    .filter(({ status }) => status === 'failed')
    .map(({ gate, score, threshold }) => `${gate} is ${score}, and the threshold is ${threshold}`);
}

function membersOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
