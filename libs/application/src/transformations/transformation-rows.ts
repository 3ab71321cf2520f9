import {
  type Transformation,
  type TransformationDefinition,
  compileTransformation,
  transformationDefinition,
} from '#transformations';

import { type StoredVersion } from '../versioned-store/versioned-store.js';
import { type TransformationView } from './transformations.messages.js';

export function toView(stored: StoredVersion): TransformationView {
  const { name, version, value, changedAt, changedBy } = stored;
  return { transformationId: name, version, ...toDefinition(value), changedAt, changedBy };
}

/** The compiled transformation; empty if it is inactive. */
export function toActive({ name, version, value }: StoredVersion): Transformation[] {
  const definition = toDefinition(value);
  if (definition.active === false) return [];
  return [compileTransformation({ transformationId: name, version }, definition)];
}

function toDefinition(text: string): TransformationDefinition {
  return transformationDefinition.parse(JSON.parse(text));
}
