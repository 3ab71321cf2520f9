import { whole } from '../report-parts.mjs';

/** What each figure stands for. */
export function notes({ given, contexts, content }) {
  const over = content.map(
    ({ budget, cells }) =>
      `${whole(cells.length)} exceed ${whole(budget)} tokens, of which ${whole(cells.filter(({ refused }) => refused).length)} are refused because what is never dropped is larger`,
  );
  return [
    ...(given.peerFault
      ? [`- **LangGraph could not be installed (${given.peerFault}) and was not measured.**`]
      : []),
    `- ${whole(contexts.length)} real contexts: every recorded run, story, project of stories, trail, document with versions, tracker log and set of decision records of the public data, one context each, folded from events. ${over.join('; ')}. Contexts that fit are not counted: everybody tells all of them.`,
    '- All strategies get the same texts of the same entries, counted by `o200k_base`, and none may exceed the budget. *Keep the newest*: the end of everything, the entry at the edge cut. *Decisions, last 3, key fields*: what holds and all decisions, the last three outputs in full, plain members of older ones (of texts the first 200 characters); as many of these as fit, the newest first. *Head and tail of each*: of every entry as many characters of its beginning and its end as fit, the same of all. *Head and tail of all*: of everything as one text.',
    '- A fact is a distinct file path, URL, identifier, number with a unit, or name of an error, found by patterns that know nothing of how views are made (`test/data/facts.ts`). It counts as told where the text says it as a word of its own. Line ends that a text shows as `\\\\n`, as JSON inside of payloads does, are no part of the word behind them.',
    '- *Older outputs* are those behind the newest that any of the strategies kept whole, so that all are asked for the same facts; the aim is judged on them. *Pooled*: all facts of all contexts together, instead of the mean of contexts. *All outputs*: with those that are whole. *What it shortened itself*: of each strategy what it did not keep whole, so of each other facts.',
    `- *Stable prefix*: the part of a text, in tokens, that the text one version later begins with; at most ${given.pairs} pairs of versions spread evenly over each of at most ${given.prefixSample} contexts, where the context exceeds the budget.`,
    '- Views were shaped on one half of the contexts, chosen by a hash of their names; the other half is shown beside it.',
    `- Times: contexts of real agents' texts at their own length, a decision every 50 steps, one of 8 topics; 8,000 tokens; ${given.samples} samples, sizes in turn, fewer where they take two minutes. *Rendering*: the pure function after one more step, given what it needs of the version and of the one before; *from items*: with making that from folded items of which nothing is known, without the version before. *In the application*: the query a server asks for \`GET /view\`, in this process on an embedded PostgreSQL, authorised, with the receipt. *For a developer*: the built-in audience, which sees a part of it. *First after a restart*: the first view of a new process of the application, which finds the tallies and counts that earlier ones have kept, ${given.restarts} times.`,
    '- *LangGraph*: one thread, the same outputs and decisions as its messages in one checkpoint; `trimMessages` keeps the last that fit, counted by the same tokenizer, each message once. Bytes are what PostgreSQL sent.',
  ];
}
