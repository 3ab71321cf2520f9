import { Controller, Param } from '@nestjs/common';

import { type Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { problemAdvice } from '../problems/problem-advice.js';
import { problemCodes } from '../problems/problem-code.js';
import { problemTable } from '../problems/problem-table.js';
import { ProblemError } from '../problems/problem.error.js';
import { toProblem } from '../problems/to-problem.js';

import { html, page } from './html.js';

const getProblemPage = endpoint({
  method: 'GET',
  path: '/problems/{code}',
  tag: 'Documentation',
  summary: 'Read what a problem means and what to do about it',
  access: 'public',
  audience: 'none',
  answers: { 200: { description: 'The page', mediaType: 'text/html' } },
  problems: ['not-found'],
});

@Controller()
export class GetProblemPageController {
  @Handles(getProblemPage)
  getProblemPage(@Param('code') requested: string): Answer {
    const code = problemCodes.find((known) => known === requested);
    if (!code) throw new ProblemError('not-found', 'there is no problem with this code');
    const { status, title } = problemTable[code];
    const { meaning, remedy } = problemAdvice[code];
    const example = toProblem({ code, detail: '...' }, '/v1/contexts/login-page');
    return page(
      `${title} (${code})`,
      html`<h1>${title}</h1>
        <p><code>${code}</code>, status ${status}</p>
        <h2>Meaning</h2>
        <p>${meaning}</p>
        <h2>What to do</h2>
        <p>${remedy}</p>
        <h2>Example</h2>
        <pre><code>${JSON.stringify(example, null, 2)}</code></pre>
        <p><a href="/docs">All of the API</a></p>`,
    );
  }
}
