import { type JsonObject } from '#event-sourcing';

import { artifactReferenced } from '../artifacts/artifact.events.js';
import { jsonEquals, member, pointerStep, without } from '../json.js';
import { type GrowingList, listDifference } from './list.difference.js';
import {
  type Part,
  type PartDifference,
  asks,
  noDifference,
  refused,
  refusedBySchema,
} from './part.difference.js';
import { changesIn } from './value.difference.js';

const derivedOfArtifact = ['agentId', 'timestamp', 'version', 'revision'];

/** A changed entry is a new revision; new entries follow those that are there. */
export function artifactsDifference(newId: () => string): Part {
  const list = artifactList(newId);
  return (current, sent, at) => listDifference(current, sent, { at, list });
}

function artifactList(newId: () => string): GrowingList {
  return {
    id: 'artifactId',
    changed: (current, sent, at) => {
      const issues = derivedOfArtifact.flatMap((name) => {
        const value = member(sent, name);
        return value === undefined
          ? []
          : changesIn(member(current, name), value, at + pointerStep(name));
      });
      const kept = without(current, [...derivedOfArtifact, ...otherPlace(sent)]);
      const revision = { ...kept, ...without(sent, derivedOfArtifact) };
      if (issues.length > 0) return refused(...issues);
      return jsonEquals(kept, revision) ? noDifference : reference(revision, at);
    },
    added: (sent, at) =>
      reference(Object.hasOwn(sent, 'artifactId') ? sent : { artifactId: newId(), ...sent }, at),
  };
}

/** An artifact is in one place: stating a path takes the uri away, and the other way round. */
function otherPlace(sent: JsonObject): readonly string[] {
  if (Object.hasOwn(sent, 'path')) return ['uri'];
  return Object.hasOwn(sent, 'uri') ? ['path'] : [];
}

function reference(artifact: JsonObject, at: string): PartDifference {
  const parsed = artifactReferenced.schema.safeParse(artifact);
  return parsed.success
    ? asks({ type: 'ReferenceArtifact', data: parsed.data })
    : refusedBySchema(parsed.error, at);
}
