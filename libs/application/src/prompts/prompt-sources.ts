import { Injectable } from '@nestjs/common';

import { type Contract } from '#agent-contracts';
import { type TemplateData } from '#context-views';
import { type Selection, wholeDocument } from '#read-models';
import {
  ContextState,
  type ItemKey,
  type ItemKind,
  creationKey,
  providedKey,
  stepOutputKey,
} from '#shared-context';

import { ContextHierarchy } from '../families/context-hierarchy.js';
import { Documents } from '../reading/documents.js';
import {
  AuthorizedContextReader,
  type AuthorizedSnapshot,
} from '../reading/authorized-context-reader.js';
import { PlaceReader } from '../transformations/place-reader.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { namesOfContext, outputsOfSteps, stepsNamed } from './context-names.js';
import { inputName } from './prompt-data.js';
import { type PromptRequest } from './prompt.messages.js';
import { ProvidedPlaces, providedKind } from './provided-places.js';

/** The data of a prompt at one version: names of the context, and a reader for the inputs of contracts. */
type PromptSource = Readonly<{
  snapshot: AuthorizedSnapshot;
  names: TemplateData;
  places: PlaceReader;
}>;

/**
 * `named`: the names that paths into the context begin with; `registered`: the ids of registered agents; `required`:
 * the paths of required inputs.
 */
type PromptNeeds = Readonly<{
  contract: Contract | undefined;
  named: readonly (readonly string[])[];
  registered: readonly string[];
  required: readonly string[];
}>;

/** Kinds that templates can name but documents do not show. */
const valueKinds: readonly ItemKind[] = ['output-value', providedKind];
const everythingNamed: Selection =
  'kinds' in wholeDocument ? { kinds: [...wholeDocument.kinds, ...valueKinds] } : wholeDocument;

/** Reads the data that a prompt needs and its reader may see, and no more. */
@Injectable()
export class PromptSources {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly documents: Documents,
    private readonly families: ContextHierarchy,
    private readonly transformations: TransformationStore,
  ) {}

  /** Throws if the context is missing or out of reach, before faults of the request are reported. */
  async requireReach(request: PromptRequest): Promise<void> {
    await this.contexts.read(request, { keys: [], bodies: false });
  }

  async read(request: PromptRequest, needs: PromptNeeds): Promise<PromptSource> {
    const { contract, named, required } = needs;
    const transformations = await this.transformations.find(request.principal.workspace);
    const derived = transformations.destinations();
    const places = new PlaceReader(transformations.places);
    const besideInput = named.filter(([root]) => root !== inputName);
    const steps = stepsNamed(besideInput);
    if (steps) {
      const keys = (contract?.inputs ?? []).flatMap(({ path }) => places.keys(path));
      const ofInput = besideInput.length < named.length ? [creationKey] : [];
      const requested = [...keys, ...steps.flatMap(outputKeys), ...ofInput];
      const snapshot = await this.contexts.read(request, { keys: requested, bodies: true });
      const names = outputsOfSteps(steps, snapshot.state.lookup);
      if (names) return { snapshot, names, places };
    }
    const snapshot = await this.contexts.read(request, everythingNamed);
    const document = await this.#document(snapshot, request);
    const agents = agentsNamed(needs);
    const current = snapshot.state.lookup;
    const provided = new ProvidedPlaces(snapshot.state.values(), current);
    const visible = { document, current, derived, provided, agents, required };
    return { snapshot, names: namesOfContext(visible), places };
  }

  /** The document as `GET` returns it. */
  async #document(snapshot: AuthorizedSnapshot, request: PromptRequest) {
    const shown = [...snapshot.state.values()].filter(({ kind }) => !valueKinds.includes(kind));
    const family = await this.families.of(snapshot, request);
    return this.documents.render({ ...snapshot, state: ContextState.from(shown) }, family);
  }
}

/** The output of a step, and the value that was provided for it. */
function outputKeys(stepId: string): readonly ItemKey[] {
  return [stepOutputKey(stepId), providedKey({ kind: 'step', stepId, rest: [] })];
}

/** Agents that exist independently of the content of the context. */
function agentsNamed({ contract, registered }: PromptNeeds): ReadonlySet<string> {
  const inContract = (contract?.inputs ?? []).flatMap(({ path: { place } }) =>
    'agentId' in place ? [place.agentId] : [],
  );
  return new Set([...registered, ...inContract]);
}
