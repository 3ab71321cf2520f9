/** The kinds of records of the measured contexts, in the order of the tables. */
export const kinds = ['runs with tools', 'discussions', 'stories', 'trails', 'logs', 'decisions'];

/** Runs of the sets in which agents or people talk to each other, without tools or with few. */
const discussion = /^(?:failures|planner|role-play)\b/;

export function kindOf({ name, set }) {
  if (set !== 'runs') return set;
  return discussion.test(name) ? 'discussions' : 'runs with tools';
}
