import { type JsonObject } from '#event-sourcing';

import { Members, type Part, isText } from './part.js';

/** `{question, chosen, reasoning}`: what was decided comes before what was asked. */
export function decision(held: JsonObject): readonly Part[] | undefined {
  if (!isText(held['chosen']) && !(isText(held['decision']) && 'rationale' in held))
    return undefined;
  const members = new Members(held);
  const question = members.take('question', 'topic');
  const chosen = members.takeText('chosen', 'decision') ?? '';
  return [
    { role: 'outcome', label: 'chosen' in held ? 'chosen' : 'decision', value: chosen },
    ...(question === undefined || question === chosen
      ? []
      : ([{ role: 'purpose', label: 'question', value: question }] as const)),
    ...members.rest('text'),
  ];
}

/** `{prompt, response}`: what was answered comes before what was asked. */
export function answeredPrompt(held: JsonObject): readonly Part[] | undefined {
  if (!isText(held['prompt']) || !isText(held['response'])) return undefined;
  const members = new Members(held);
  const prompt = members.take('prompt') ?? '';
  return [
    ...members.part('purpose', null, 'response'),
    { role: 'text', label: 'prompt', value: prompt },
    ...members.rest(),
  ];
}
