import { statusOf } from '../../loops/loop.document.js';
import { type LoopFacts, loopFacts } from '../../loops/loop.item.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { type Finding, violation, warning } from '../finding.js';

/** Reports loops at or beyond their limits, and tripped circuit breakers. */
export const loopLimit: ConsistencyRule = (record) =>
  record.of('loop').flatMap((loop) => loopFindings(`loop:${loop.key}`, loopFacts(loop)));

function loopFindings(ref: string, loop: LoopFacts): readonly Finding[] {
  const { current, max } = loop;
  const count = `${current} of ${max} iterations`;
  if (loop.tripped) return [violation('circuit-open', ref, `its breaker is tripped at ${count}`)];
  if (current > max) return [violation('iterations-exceeded', ref, `it has had ${count}`)];
  if (statusOf(loop) === 'ok') return [];
  return [
    warning('iterations-near-limit', ref, `it has had ${count}: the next one will be refused`),
  ];
}
