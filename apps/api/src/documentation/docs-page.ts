import { type TextAnswer } from '../http/answer.js';
import { type Endpoint } from '../http/endpoint.js';
import { paramNames } from '../http/path-params.js';
import { problemTable } from '../problems/problem-table.js';
import { curlOf } from './curl.js';
import { type Html, html, page } from './html.js';
import { bodySchema, queryProperties } from './json-schema.js';

/** The documentation of the API as one page without external resources. */
export function docsPage(endpoints: readonly Endpoint[], version: string): TextAnswer {
  const tags = Object.entries(Object.groupBy(endpoints, ({ tag }) => tag));
  return page(
    'Throughline API',
    html`<h1>Throughline API</h1>
      <p>
        Version ${version}. Machine-readable: <a href="/openapi.json">OpenAPI 3.1</a>. Send
        <code>Authorization: Bearer &lt;secret&gt;</code> with every request below <code>/v1</code>;
        refusals are <code>application/problem+json</code> with
        <a href="#problems">a page for each code</a>.
      </p>
      ${tags.map(
        ([tag, tagged = []]) =>
          html`<h2>${tag}</h2>
            ${tagged.map(endpointHtml)}`,
      )}
      <h2 id="problems">Problems</h2>
      <table>
        ${Object.entries(problemTable).map(
          ([code, { status, title }]) =>
            html`<tr>
              <td>${status}</td>
              <td><a href="/problems/${code}">${code}</a></td>
              <td>${title}</td>
            </tr>`,
        )}
      </table>`,
  );
}

function endpointHtml(declared: Endpoint): Html {
  const { method, path, summary, description, access, body, problems = [] } = declared;
  return html`<details>
    <summary><span class="method">${method}</span> <code>${path}</code> ${summary}</summary>
    <p>${description} Access: ${access}.</p>
    ${parametersHtml(declared)}
    ${
      body &&
      html`<p>Body${body.optional ? ', optional' : ''}:</p>
        <pre><code>${JSON.stringify(bodySchema(body), null, 2)}</code></pre>`
    }
    <p>Example:</p>
    <pre><code>${curlOf(declared)}</code></pre>
    <p>
      Answers:
      ${Object.entries(declared.answers).map(([status, answer]) => html`<code>${status}</code> ${answer.description}. `)}
    </p>
    <p>Problems: ${problems.map((code) => html`<a href="/problems/${code}">${code}</a> `)}</p>
  </details>`;
}

function parametersHtml({ path, query, headers = [] }: Endpoint): Html {
  return html`<table>
    ${paramNames(path).map(
      (name) =>
        html`<tr>
          <td>path</td>
          <td><code>${name}</code></td>
          <td></td>
        </tr>`,
    )}
    ${queryProperties(query).map(
      ([name, schema]) =>
        html`<tr>
          <td>query</td>
          <td><code>${name}</code></td>
          <td>${JSON.stringify(schema)}</td>
        </tr>`,
    )}
    ${headers.map(
      (name) =>
        html`<tr>
          <td>header</td>
          <td><code>${name}</code></td>
          <td></td>
        </tr>`,
    )}
  </table>`;
}
