import { type ReactNode } from 'react';

import { type Cell } from './visibility-cells.js';

type MatrixRow = Readonly<{ key: string; label: ReactNode; cells: readonly Cell[] }>;

type MatrixProps = Readonly<{
  caption: string;
  /** The label of the first column. */
  rowsAre: string;
  columns: readonly Readonly<{ key: string; label: ReactNode }>[];
  rows: readonly MatrixRow[];
}>;

/** A table of what each audience sees. Words, not only colors, state how much. */
export function Matrix({ caption, rowsAre, columns, rows }: MatrixProps) {
  return (
    <div className="matrix" role="region" tabIndex={0} aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{rowsAre}</th>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, cells }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              {cells.map(({ extent, words }, at) => (
                <td key={at} data-extent={extent}>
                  {words}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
