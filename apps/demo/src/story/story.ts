import { building } from './build.story.js';
import { design } from './design.story.js';
import { openWork } from './open-work.story.js';
import { passkeys } from './passkeys.story.js';
import { releases } from './release.story.js';
import { requirements } from './requirements.story.js';
import { review } from './review.story.js';
import { type StoryStep } from './story-step.js';

/** A team of agents and a product owner build the login of a shop and release it. */
export const story: readonly StoryStep[] = [
  ...requirements,
  ...design,
  ...passkeys,
  ...building,
  ...review,
  ...openWork,
  ...releases,
];
