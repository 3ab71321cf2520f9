/** Kinds of facts that one word can be, the most important first. */
export const wordKinds = ['errors', 'paths', 'identifiers', 'urls', 'numbers'] as const;

export type WordKind = (typeof wordKinds)[number];

const errorName = /^(?:[\w$]+\.)*[A-Z][A-Za-z0-9]*(?:Error|Exception|Warning|Failure|Fault)$/;
const systemError =
  /^(?:E(?:NOENT|ACCES|PERM|EXIST|PIPE|INVAL|BUSY|ISDIR|NOTDIR|NOTEMPTY|MFILE|NOMEM|NOSPC|AGAIN|ADDRINUSE|CONN[A-Z]+|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN|RESOLVE)|SIG(?:KILL|TERM|SEGV|INT|ABRT|HUP|PIPE|BUS))$/;
const url = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^/]/i;
const fileName =
  /^[\w.@+~-]*[\w~]\.(?:[cm]?[jt]sx?|py[icw]?|ipynb|mdx?|rst|txt|jsonl?|ya?ml|toml|ini|cfg|conf|env|lock|log|csv|tsv|xlsx?|docx?|pptx?|pdf|html?|css|s[ac]ss|less|vue|svelte|sql|db|sqlite3?|sh|bash|zsh|ps1|bat|go|rs|java|kts?|scala|rb|php|swift|cs|fs|c|cc|cpp|h|hh|hpp|ex|exs|erl|hs|lua|r|pl|tfvars|tf|hcl|proto|graphql|xml|xsd|svg|png|jpe?g|gif|webp|mp[34]|wav|m4v|mpeg|zip|tar|gz|tgz|whl|jar|so|dll|exe|pem|pub|key|patch|diff|snap|traj|rules|mako|jinja2?|tpl|tmpl|properties|gradle|cmake|mk)$/i;
const dotFile =
  /^\.(?:env|git|github|vscode|husky|docker|npm|nvm|[a-z]+(?:ignore|rc|attributes|config))(?:[./][\w.-]+)*$/;
const rooted = /^(?:~|\.{1,2})?\/[\w.@-]/;
const longPath = /^@?[\w.@+~-]+(?:\/[\w.@+~{}$*-]+){2,}\/?$/;
const shortPath = /^@?[\w.+~-]*[\w~]\/[\w.@+~-]*$/;
const telltale = /[\d_.@-]|[a-z][A-Z]/;
const ratio = /^[\d.,/-]+$|^[\w.]+\/[\d.]+$|^[\d.,]+\w{0,8}\/\w+$/;
const number = /^[+-]?[$€£¥]?\d(?:[\d,._]*\d)?(?:%|[a-zµ°]{1,4}|[kmgt]i?b(?:\/s)?)?$/i;
/** More often ordinals or section numbers than amounts, if they are alone. */
const ordinal = /^[+-]?\d{1,2}$|^[1-9]\d?\.\d{1,2}$|^\d+(?:st|nd|rd|th)$/i;
/** The rest of a number that is split by a space or an apostrophe, or not an amount. */
const padded = /^0\d+$/;
/** Numbers of the items next to them. */
const mark = /^[A-Za-z]\d$/;
const date = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;
const version = /^v\d+(?:\.\d+)+[\w.+-]*$/i;
const humps = /^[$_]?[A-Za-z][\w$]*[a-z0-9][A-Z][\w$]*$/;
const snake = /^[A-Za-z_$][\w$]*_[A-Za-z0-9$]+(?:__)?$/;
const members = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)+$/;
const numbered = /^#\d{3,}$|^[A-Za-z][A-Za-z0-9]*(?:[-.][A-Za-z0-9]+)*[-.]?\d[\w.-]*$/;
const mixed = /^(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{5,64}$/;
const abbreviation = /^(?:[A-Za-z]\.)+[A-Za-z]$/;
const quotedName = /^[A-Za-z][\w]*(?:-[\w]+)+$/;

const nameShapes = [humps, snake, members, numbered, mixed];

/** Most words, whose form does not identify a fact. */
const plain = /^[A-Za-z]?[a-z]*$/;

/** The kind of a word by its form; `quoted` if it is in backticks. */
export function kindOf(word: string, quoted: boolean): WordKind | undefined {
  if (plain.test(word)) return undefined;
  if (errorName.test(word) || systemError.test(word)) return 'errors';
  if (url.test(word)) return 'urls';
  if (isPath(word)) return 'paths';
  if (isNumber(word)) return 'numbers';
  return isIdentifier(word, quoted) ? 'identifiers' : undefined;
}

function isNumber(word: string): boolean {
  const isAmount = number.test(word) && !ordinal.test(word) && !padded.test(word);
  return isAmount || date.test(word) || version.test(word);
}

function isPath(word: string): boolean {
  if (ratio.test(word)) return false;
  if (rooted.test(word) || fileName.test(word) || dotFile.test(word)) return true;
  return longPath.test(word) || (shortPath.test(word) && telltale.test(word));
}

function isIdentifier(word: string, quoted: boolean): boolean {
  if (abbreviation.test(word)) return false;
  if (quoted && (quotedName.test(word) || mark.test(word))) return true;
  return !mark.test(word) && nameShapes.some((shape) => shape.test(word));
}
