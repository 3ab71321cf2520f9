import { type z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { artifactReferenced } from '../artifacts/artifact.events.js';
import { type ContextCommand } from '../context.command.js';
import { jsonEquals, member, pointerStep, without } from '../json.js';
import { identifier } from '../payload.schema.js';
import { statement } from './entry.difference.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type Change, type PartComparison, refusing } from './part.difference.js';
import { changesIn } from './value.difference.js';

const derivedOfArtifact = ['agentId', 'timestamp', 'version', 'revision'];

/** A changed entry is a new revision; new entries follow the known ones. */
export function artifactsDifference(newId: () => string): PartComparison {
  const list = artifactList(newId);
  return (current, sent, at) => listDifference(current, sent, { at, list });
}

function artifactList(newId: () => string): GrowingList {
  return {
    id: 'artifactId',
    *changed(current, sent, at) {
      if (yield* refusing(derivedChanges(current, sent, at))) return;
      const previous = without(current, [...derivedOfArtifact, ...otherPlace(sent)]);
      const revision = { ...previous, ...without(sent, derivedOfArtifact) };
      const changed = Object.keys(revision).filter(
        (name) => !jsonEquals(member(previous, name), revision[name]),
      );
      if (!jsonEquals(previous, revision)) yield* revise(revision, at, changed);
    },
    added: (sent, at) =>
      reference(Object.hasOwn(sent, 'artifactId') ? sent : { artifactId: newId(), ...sent }, at),
  };
}

function* derivedChanges(
  current: JsonObject,
  sent: JsonObject,
  at: string,
): Generator<Change | undefined> {
  for (const name of derivedOfArtifact) {
    const value = member(sent, name);
    if (value !== undefined) yield* changesIn(member(current, name), value, at + pointerStep(name));
  }
}

/** An artifact has either a path or a uri: setting one removes the other. */
function otherPlace(sent: JsonObject): readonly string[] {
  if (Object.hasOwn(sent, 'path')) return ['uri'];
  return Object.hasOwn(sent, 'uri') ? ['path'] : [];
}

const revise = statement(artifactReferenced.schema, referenced);
const reference = statement(
  artifactReferenced.schema.safeExtend({ artifactId: identifier }),
  referenced,
);

function referenced(data: z.output<typeof artifactReferenced.schema>): ContextCommand {
  return { type: 'ReferenceArtifact', data };
}
