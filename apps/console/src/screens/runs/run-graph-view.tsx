import { useMemo } from 'react';

import { setParameters } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { type Definition, type Step, captionOf } from './definition.js';
import { type PlacedEdge, type PlacedNode, layOut } from './graph-layout.js';
import { graphOf } from './run-graph.js';
import { type Run } from './run.js';
import { countsOf, stateOfStep } from './step-state.js';

type RunGraphViewProps = Readonly<{
  definition: Definition;
  run: Run;
  selected: string | undefined;
}>;

/** The steps of a definition with the state of a run. A step is a button that shows its details. */
export function RunGraphView({ definition, run, selected }: RunGraphViewProps) {
  // The definition of a run never changes, and the layout does not depend on the state.
  const { width, height, nodes, edges } = useMemo(() => layOut(graphOf(definition)), [definition]);
  return (
    <div className="run-graph" role="region" aria-label="Graph of the steps" tabIndex={0}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <defs>
          <marker
            id="run-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M 0 0 L 8 4 L 0 8 z" className="run-arrow" />
          </marker>
        </defs>
        {edges.map((edge) => (
          <Edge key={`${edge.from} ${edge.to}`} edge={edge} />
        ))}
        {nodes.map((node) =>
          node.step ? (
            <StepNode
              key={node.id}
              node={node}
              step={node.step}
              run={run}
              isSelected={node.step.id === selected}
            />
          ) : (
            <PointNode key={node.id} node={node} />
          ),
        )}
      </svg>
    </div>
  );
}

function Edge({ edge: { path, label, labelAt, isDashed } }: Readonly<{ edge: PlacedEdge }>) {
  return (
    <g aria-hidden="true">
      <path
        d={path}
        className={isDashed ? 'run-edge dashed' : 'run-edge'}
        markerEnd="url(#run-arrow)"
      />
      {label !== '' && (
        <text x={labelAt.x} y={labelAt.y + 4} className="run-edge-label">
          {label}
        </text>
      )}
    </g>
  );
}

function StepNode({
  node: { x, y, width, height, label },
  step,
  run,
  isSelected,
}: Readonly<{ node: PlacedNode; step: Step; run: Run; isSelected: boolean }>) {
  const state = stateOfStep(step.id, run);
  return (
    <foreignObject x={x - width / 2} y={y - height / 2} width={width} height={height}>
      <button
        type="button"
        className={`run-step ${state.style} ${step.type}`}
        aria-pressed={isSelected}
        onClick={() => setParameters({ step: isSelected ? undefined : step.id }, { replace: true })}
      >
        <strong>
          <AgentText text={label} />
        </strong>
        <span className="run-step-caption">
          <AgentText text={captionOf(step)} />
        </span>
        <span>
          <AgentText text={[state.text, ...countsOf(state)].join(', ')} />
        </span>
      </button>
    </foreignObject>
  );
}

function PointNode({ node: { x, y, width, height, label } }: Readonly<{ node: PlacedNode }>) {
  return (
    <foreignObject x={x - width / 2} y={y - height / 2} width={width} height={height}>
      <div className="run-point">
        <AgentText text={label} />
      </div>
    </foreignObject>
  );
}
