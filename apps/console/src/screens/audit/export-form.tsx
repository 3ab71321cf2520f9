import { setParameters } from '../../navigation/location.js';
import { seesEverything, useMe } from '../../session/me.js';
import { DraftField } from '../../ui/draft-field.js';
import { visibleText } from '../../ui/visible-text.js';
import { AudienceField } from '../view/audience-field.js';
import { type ExportChoice, eventsFormat, exportFormats } from './export-formats.js';

/** Format and, for documents, the audience, the version and the name of one document. */
export function ExportForm({ choice }: Readonly<{ choice: ExportChoice }>) {
  const isComplete = seesEverything(useMe());
  const formats = exportFormats.filter(({ name }) => isComplete || name !== eventsFormat);
  const isListed = formats.some(({ name }) => name === choice.format);
  return (
    <div className="filters">
      <label>
        Format{' '}
        <select
          value={choice.format}
          onChange={({ target }) => setParameters({ format: target.value })}
        >
          {!isListed && <option value={choice.format}>{visibleText(choice.format)}</option>}
          {formats.map(({ name, label }) => (
            <option key={name} value={name}>
              {name}: {label}
            </option>
          ))}
        </select>
      </label>
      {choice.format !== eventsFormat && <DocumentFields choice={choice} />}
    </div>
  );
}

function DocumentFields({
  choice: { audience, asOf, document },
}: Readonly<{ choice: ExportChoice }>) {
  return (
    <>
      <AudienceField
        label="Audience"
        value={audience}
        onChange={(value) => setParameters({ audience: value })}
      />
      <DraftField
        label="At version or time"
        value={asOf}
        placeholder="newest"
        onChange={(value) => setParameters({ asOf: value })}
      />
      <DraftField
        label="Document"
        value={document}
        placeholder="all"
        onChange={(value) => setParameters({ document: value })}
      />
    </>
  );
}
