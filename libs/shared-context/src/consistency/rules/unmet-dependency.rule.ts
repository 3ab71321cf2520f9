import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';
import { memberOf, textsIn } from '../payload.js';

/** Reports tasks that were started or completed before the tasks that they depend on are completed. */
export const unmetDependency: ConsistencyRule = (record) =>
  record
    .of('task')
    .filter(({ state }) => state['status'] === 'completed' || state['startedVersion'] !== undefined)
    .flatMap(({ key, body, state }) =>
      textsIn(memberOf(body, 'dependsOn'))
        .filter((taskId) => {
          const needed = record.find('task', taskId);
          return needed !== undefined && needed.state['status'] !== 'completed';
        })
        .map((taskId) => {
          const how = state['status'] === 'completed' ? 'completed' : 'started';
          const detail = `it is ${how}, and the task "${taskId}", which it depends on, is not completed`;
          return warning('dependency-unmet', `task:${key}`, detail);
        }),
    );
