import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type JsonObject, type JsonValue } from '#event-sourcing';
import { parse as parseYaml } from 'yaml';

import { isObject, objectsIn, parsedJson, readLines, textOf } from './json-lines.js';
import { type Story } from './story.js';
import { type SourceEvent, nameOf, sourceEvent } from './source-event.js';

type SourceText = Readonly<{ text: string }>;
type IndexedRun = Readonly<{ index: number; data: JsonObject }>;

/** Recorded runs: each message, action or tick is the output of a step, with its structure. */
export function runStories(folder: string): readonly Story[] {
  const at = (name: string) => join(folder, 'trajectories', name);
  return [
    ...readLines<SourceText>(at('multi-agent-failures.jsonl')).map(({ text }, n) =>
      run(`failures-${n}`, parsedJson(text), 'history'),
    ),
    ...readLines<IndexedRun>(at('tool-agent-airline.jsonl')).map(({ data }, n) =>
      run(`airline-${n}`, data, 'traj'),
    ),
    ...readLines<IndexedRun>(at('tool-agent-retail-transcripts.jsonl')).map(transcript),
    ...readLines<SourceText>(at('planner-worker-conversations.jsonl')).map(conversation),
    ...filesIn(at('swe-agent'), '.traj').map(({ name, value }) => run(name, value, 'trajectory')),
    ...filesIn(at('event-streams'), '.json').map(({ name, value }) => run(name, value, 'history')),
    rolePlay(readLines<JsonObject>(at('role-prompts-responses.jsonl'))),
  ];
}

function filesIn(folder: string, ending: string) {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return names.toSorted().map((name) => ({
    name: name.slice(0, -ending.length),
    value: parsedJson(readFileSync(join(folder, name), 'utf8')),
  }));
}

function run(name: string, value: JsonValue | undefined, member: string): Story {
  const holder = isObject(value) ? value : {};
  const steps = [value, holder[member], holder['ticks'], holder['messages'], holder['history']]
    .map(objectsIn)
    .find((found) => found.length > 0);
  const said = [holder['question'], holder['instruction'], holder['task_id']].map(titleOf);
  return story(name, said.find(Boolean) ?? name, (steps ?? []).map(stepOf));
}

function transcript({ data }: IndexedRun, n: number): Story {
  const turns = textOf(data['messages_display']).split(/^(?=(?:user|assistant|tool): )/m);
  const steps = turns.filter(Boolean).map((turn) => {
    const [, role = '', content = ''] = /^(\w+): ?([^]*)$/.exec(turn) ?? [];
    return { by: role, output: { role, content: content.trimEnd() } };
  });
  return story(`retail-${n}`, `retail ${n}`, steps);
}

function conversation({ text }: SourceText, n: number): Story {
  const rounds = objectsIn(Reflect.get(Object(parseYaml(text)), 'rounds') as JsonValue);
  const posts = rounds.flatMap((round) => objectsIn(round['post_list']));
  const steps = posts.map((post) => ({ by: textOf(post['send_from']), output: post }));
  return story(`planner-${n}`, titleOf(rounds[0]?.['user_query']) || `planner ${n}`, steps);
}

function rolePlay(pairs: readonly JsonObject[]): Story {
  const inOrder = pairs.toSorted((a, b) => Number(a['index']) - Number(b['index']));
  const steps = inOrder.map(({ prompt = null, response = null }) => {
    const [, role = 'role'] = /you are an? ([\w -]{3,40})/i.exec(textOf(prompt)) ?? [];
    return { by: role, output: { prompt, response } };
  });
  return story('role-play', 'roles that write software', steps);
}

type Step = Readonly<{ by: string; output: JsonValue }>;

function stepOf(step: JsonObject): Step {
  const said = [step['name'], step['agent'], step['source'], step['role']];
  return { by: said.map(textOf).find(Boolean) ?? 'agent', output: step };
}

function story(name: string, title: string, steps: readonly Step[]): Story {
  const outputs = steps.map(({ by, output }, at) =>
    sourceEvent(nameOf(by, 'agent'), 'StepOutputAdded', { stepId: `s${at + 1}`, output }),
  );
  const created: SourceEvent = sourceEvent('operator', 'ContextCreated', {
    title: title.slice(0, 1000),
  });
  return { name, set: 'runs', events: [created, ...outputs] };
}

function titleOf(value: JsonValue | undefined): string {
  return textOf(value).slice(0, 200);
}
