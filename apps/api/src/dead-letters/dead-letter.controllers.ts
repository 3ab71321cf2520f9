import { ListDeadLettersController } from './list-dead-letters.controller.js';
import { RetryDeadLetterController } from './retry-dead-letter.controller.js';

export const deadLetterControllers = [ListDeadLettersController, RetryDeadLetterController];
