import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { artifactReferenced } from './artifact.events.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const spec = { artifactId: 'spec', artifactType: 'document', path: 'spec.md' };
const referenced = did('ArtifactReferenced', spec);

describe('artifacts', () => {
  it('are not referenced again without a change', () => {
    given(created).when({ type: 'ReferenceArtifact', data: spec }).then(referenced);
    given(created, referenced).when({ type: 'ReferenceArtifact', data: spec }).thenNothing();
  });

  it('get a new revision if a known id has other content', () => {
    const revised = { ...spec, sha256: 'a'.repeat(64) };
    given(created, referenced)
      .when({ type: 'ReferenceArtifact', data: revised })
      .then(did('ArtifactReferenced', revised));
    const after = contextAfter(created, referenced, did('ArtifactReferenced', revised));
    expect(after.get('artifact', 'spec')).toMatchObject({
      fromVersion: 3,
      state: { revision: 2, firstVersion: 2 },
      body: revised,
    });
  });

  it('have either a path or a uri', () => {
    const { schema } = artifactReferenced;
    expect(schema.safeParse(spec).success).toBe(true);
    expect(schema.safeParse({ artifactId: 'a', artifactType: 't', uri: 'x:y' }).success).toBe(true);
    expect(schema.safeParse({ artifactId: 'a', artifactType: 't' }).success).toBe(false);
    expect(schema.safeParse({ ...spec, uri: 'x:y' }).success).toBe(false);
  });
});
