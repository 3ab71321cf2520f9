import { Controller, Param } from '@nestjs/common';

import { html, page } from '../documentation/html.js';
import { type Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { problemCodes } from './problem-code.js';
import { ProblemError } from './problem.error.js';
import { problemAdvice } from './problem-advice.js';
import { problemTable } from './problem-table.js';
import { toProblem } from './to-problem.js';

const getProblemPage = endpoint({
  method: 'GET',
  path: '/problems/{code}',
  tag: 'Documentation',
  summary: 'What a problem means and what to do about it',
  access: 'public',
  audience: 'none',
  answers: { 200: { description: 'The page', mediaType: 'text/html' } },
  problems: ['not-found'],
});

@Controller()
export class GetProblemPageController {
  @Handles(getProblemPage)
  getProblemPage(@Param('code') given: string): Answer {
    const code = problemCodes.find((known) => known === given);
    if (!code) throw new ProblemError('not-found', 'there is no problem of this code');
    const { status, title } = problemTable[code];
    const { meaning, remedy } = problemAdvice[code];
    const example = toProblem({ code, detail: '...' }, '/v1/contexts/login-page');
    return page(
      `${title} (${code})`,
      html`<h1>${title}</h1>
        <p><code>${code}</code>, status ${status}</p>
        <h2>What it means</h2>
        <p>${meaning}</p>
        <h2>What to do</h2>
        <p>${remedy}</p>
        <h2>Example</h2>
        <pre><code>${JSON.stringify(example, null, 2)}</code></pre>
        <p><a href="/docs">All of the API</a></p>`,
    );
  }
}
