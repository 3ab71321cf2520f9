import { type JsonObject } from '#event-sourcing';

import { Members, type Part, isText } from './part.js';

/** `{question, chosen, reasoning}`: the decision comes before the question. */
export function decision(record: JsonObject): readonly Part[] | undefined {
  if (!isText(record['chosen']) && !(isText(record['decision']) && 'rationale' in record))
    return undefined;
  const members = new Members(record);
  const question = members.take('question', 'topic');
  const chosen = members.takeText('chosen', 'decision') ?? '';
  return [
    { role: 'outcome', label: 'chosen' in record ? 'chosen' : 'decision', value: chosen },
    ...(question === undefined || question === chosen
      ? []
      : ([{ role: 'purpose', label: 'question', value: question }] as const)),
    ...members.rest('text'),
  ];
}

/** `{prompt, response}`: the response comes before the prompt. */
export function answeredPrompt(record: JsonObject): readonly Part[] | undefined {
  if (!isText(record['prompt']) || !isText(record['response'])) return undefined;
  const members = new Members(record);
  const prompt = members.take('prompt') ?? '';
  return [
    ...members.part('purpose', null, 'response'),
    { role: 'text', label: 'prompt', value: prompt },
    ...members.rest(),
  ];
}
