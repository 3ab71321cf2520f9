import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';
import { memberOf, textsIn } from '../payload.js';

/** Reports tasks that a task depends on and that have not been planned. */
export const missingTask: ConsistencyRule = (record) =>
  record.of('task').flatMap(({ key, body }) =>
    textsIn(memberOf(body, 'dependsOn'))
      .filter((taskId) => !record.has('task', taskId))
      .map((taskId) =>
        violation(
          'task-missing',
          `task:${key}`,
          // prose-ignore: a value of answers
          `it depends on the task "${taskId}", which nobody planned`,
        ),
      ),
  );
