/** One instruction of a Dockerfile: its name, its flags (`--from=build`) and the rest. */
export type Instruction = Readonly<{
  name: string;
  flags: Readonly<Record<string, string>>;
  text: string;
}>;

export type Stage = Readonly<{
  /** An image, or an earlier stage. */
  from: string;
  name: string | undefined;
  instructions: readonly Instruction[];
}>;

/** The instructions with their permitted flags. Other instructions of Docker are refused instead of skipped. */
const known: Readonly<Record<string, readonly string[]>> = {
  FROM: [],
  WORKDIR: [],
  ENV: [],
  COPY: ['from'],
  RUN: [],
  USER: [],
  VOLUME: [],
  EXPOSE: [],
  STOPSIGNAL: [],
  HEALTHCHECK: ['interval', 'timeout', 'start-period', 'retries'],
  ENTRYPOINT: [],
  CMD: [],
};

export function parseDockerfile(text: string): Stage[] {
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const line of logicalLines(text)) {
    const instruction = parseInstruction(line);
    if (instruction.name === 'FROM') stages.push(openStage(instruction.text));
    else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`"${line}" stands before the first FROM`);
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

/** The last instruction of this name, which takes effect. */
export function lastOf(stage: Stage, name: string): Instruction | undefined {
  return stage.instructions.findLast((instruction) => instruction.name === name);
}

/** `["node", "a.mjs"]`; the shell form is refused. */
export function execForm(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words)) throw new Error(`"${text}" is no array`);
  return words.map(String);
}

/** `A=1 B=2`; quotes are not supported here. */
export function pairs(text: string): [name: string, value: string][] {
  return text.split(/\s+/).map((pair) => {
    const [, name, value] = /^([A-Z_]+)=([^'"\\$]*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw new Error(`"${pair}" is not NAME=value`);
    return [name, value];
  });
}

function logicalLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n');
}

function parseInstruction(line: string): Instruction {
  const [, name = '', given = '', text = ''] = /^(\w+)((?:\s+--\S+)*)\s+(.*)$/.exec(line) ?? [];
  const flags = Object.fromEntries(
    given
      .trim()
      .split(/\s+/)
      .filter(Boolean)
      .map((flag) => flag.slice(2).split('=', 2))
      .map(([flag = '', value = '']) => [flag, value]),
  );
  const allowed = known[name];
  if (!allowed || Object.keys(flags).some((flag) => !allowed.includes(flag)))
    throw new Error(`"${line}" is more than the script can run`);
  return { name, flags, text };
}

function openStage(text: string) {
  const { from, name } = /^(?<from>\S+)(?:\s+AS\s+(?<name>\S+))?$/.exec(text)?.groups ?? {};
  if (!from) throw new Error(`FROM ${text} is not understood`);
  return { from, name, instructions: [] };
}
