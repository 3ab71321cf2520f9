import { z } from 'zod';

import { type Rows } from './render-work.js';

const count = z.array(z.unknown()).default([]);
const scores = z.looseObject({
  scores: z.record(z.string(), z.number()).default({}),
  current: z.boolean().default(true),
  gates: z.array(z.looseObject({ gate: z.string(), status: z.string() })).default([]),
});

/** Members of a context about agents, derived values and quality, limited to the fields that are printed. */
export const qualityParts = {
  agents: z
    .record(
      z.string(),
      z.looseObject({
        status: z.string(),
        retries: z.number().default(0),
        outputs: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .default({}),
  derived: z
    .record(
      z.string(),
      z.looseObject({
        value: z.unknown(),
        transformation: z.string().nullish(),
        problem: z.string().nullish(),
      }),
    )
    .default({}),
  quality: z
    .looseObject({
      inputs: z
        .record(z.string(), z.looseObject({ ok: z.boolean(), missing: count, failed: count }))
        .default({}),
      outputs: z.record(z.string(), z.record(z.string(), scores)).default({}),
      overallScore: z.number().nullish(),
    })
    .optional(),
};

type QualityMembers = z.output<z.ZodObject<typeof qualityParts>>;

/** Headings with their rows, in the order of the output. */
export function qualityRows(document: QualityMembers): readonly (readonly [string, Rows])[] {
  return [
    ['Agents', agentRows(document)],
    ['Derived values', derivedRows(document)],
    ['Quality', judgements(document)],
  ];
}

function agentRows({ agents }: QualityMembers): Rows {
  return Object.entries(agents).map(([agent, { status, retries, outputs }]) => [
    agent,
    status,
    retries === 0 ? undefined : `${retries} retries`,
    Object.keys(outputs).join(', '),
  ]);
}

function derivedRows({ derived }: QualityMembers): Rows {
  return Object.entries(derived).map(([path, { value, transformation, problem }]) => [
    path,
    problem ? `none: ${problem}` : JSON.stringify(value),
    transformation,
  ]);
}

function judgements({ quality }: QualityMembers): Rows {
  if (!quality) return [];
  const { inputs, outputs, overallScore } = quality;
  return [
    ...Object.entries(inputs).map(([agent, { ok, missing, failed }]) => [
      `inputs of ${agent}`,
      ok ? 'ok' : `${missing.length} missing, ${failed.length} failed`,
      undefined,
    ]),
    ...Object.entries(outputs).flatMap(([agent, byName]) =>
      Object.entries(byName).map(([name, scored]) => [`${agent} ${name}`, ...verdictOn(scored)]),
    ),
    ...(typeof overallScore === 'number' ? [['overall', String(overallScore), undefined]] : []),
  ];
}

function verdictOn({ scores: byMeasure, gates, current }: z.output<typeof scores>) {
  const measures = Object.entries(byMeasure).map(([measure, score]) => `${measure} ${score}`);
  const outdated = current ? [] : ['of an earlier output'];
  return [
    [...measures, ...outdated].join(', '),
    gates.map(({ gate, status }) => `${gate} ${status}`).join(', '),
  ];
}
