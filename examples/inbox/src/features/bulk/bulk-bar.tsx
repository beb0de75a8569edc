import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { Link } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { ExplanationText } from '../../components/explanation.tsx';
import { Field } from '../../components/field.tsx';
import { useUnsavedGuard } from '../../components/unsaved-guard.tsx';
import { topicOf } from '../../domain/document.ts';
import { phaseActions, responseActions } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { PhaseAction, ResponseAction } from '../../gql/graphql.ts';
import { useFormat } from '../../language/format.ts';
import { useText, type Label } from '../../language/text.ts';
import { useBulkAction, type BulkResult } from './use-bulk-action.ts';
import type { Selection } from './use-selection.ts';
import './bulk-bar.css';

const bulkDocumentFragment = graphql(`
  fragment BulkDocument on Document {
    id
    shortId
    fullId
    extra(names: ["topic", "form"])
    meta {
      revision
    }
  }
`);

interface BulkBarProps {
  /** The rows of the list. */
  readonly documents: readonly FragmentType<typeof bulkDocumentFragment>[];
  readonly selection: Selection;
  /** Called before the selection is cleared, to move the focus: the button disappears. */
  readonly onClear: () => void;
  /** Reads the list again. */
  readonly onReload: () => Promise<unknown>;
}

/** What the last action did: shown until the next one. */
interface Summary {
  readonly text: string;
  readonly failed: readonly {
    readonly id: string;
    readonly documentId: string;
    readonly title: string;
    readonly result: BulkResult;
  }[];
}

// A response with changes needs the values of each document.
const responses = Object.entries(responseActions).filter(
  ([action]) => action !== 'APPROVE_WITH_EDITS',
);

/** Takes an action on the selected documents. Each row says what became of it; those that failed stay selected. */
export function BulkBar({ selection, onClear, onReload, ...props }: BulkBarProps) {
  const t = useText();
  const format = useFormat();
  const documents = useFragment(bulkDocumentFragment, props.documents);
  const { run, isRunning } = useBulkAction();
  const [choice, setChoice] = useState('respond APPROVE');
  const [content, setContent] = useState('');
  const [summary, setSummary] = useState<Summary | null>(null);
  const summaryNotice = useRef<HTMLDivElement>(null);
  // The button that was pressed was disabled meanwhile, and does not exist any more if nothing failed.
  useEffect(() => {
    if (summary !== null) summaryNotice.current?.focus();
  }, [summary]);
  const announce = useAnnounce();
  const selected = documents.filter(({ id }) => selection.ids.has(id));
  const [kind, action = ''] = choice.split(' ');
  const count = format.count(selected.length);
  const guard = useUnsavedGuard(selected.length > 0 && content !== '');

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isRunning || selected.length === 0) return;
    setSummary(null);
    const targets = selected.map(({ id, meta }) => ({ id, revision: meta?.revision ?? null }));
    const results = await run(
      targets,
      kind === 'respond'
        ? { kind, action: action as ResponseAction, content: content.trim() }
        : { kind: 'move', action: action as PhaseAction },
    );
    const failed = selected.flatMap(({ id, shortId, fullId, extra }) => {
      const result = results.get(id)!;
      if (result.isDone) return [];
      const documentId = shortId ?? fullId;
      return [{ id, documentId, title: topicOf(extra) ?? documentId, result }];
    });
    const doneCount = format.count(selected.length - failed.length);
    const text = t('{action}: {done} of {count} documents', {
      action: t(labelOf(kind, action)),
      done: doneCount,
      count,
    });
    setSummary({ text, failed });
    selection.settle(results);
    announce(text);
    if (failed.length === 0) setContent('');
    await onReload();
  };
  if (selected.length === 0 && summary === null) return null;
  const shownIds = new Set(documents.map(({ id }) => id));
  const hidden = summary?.failed.filter(({ id }) => !shownIds.has(id)) ?? [];
  return (
    <div className="bulk stack-small">
      {guard.dialog}
      {summary !== null && (
        <div
          ref={summaryNotice}
          tabIndex={-1}
          className={`notice stack-small notice-${summary.failed.length === 0 ? 'success' : 'warning'}`}
        >
          <p>{summary.text}</p>
          {hidden.length > 0 && (
            <ul>
              {hidden.map(({ id, documentId, title, result }) => (
                <li key={id}>
                  <Link to={`/app/documents/${encodeURIComponent(documentId)}`}>{title}</Link>:{' '}
                  <ExplanationText {...result} />
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      {selected.length > 0 && (
        <form
          className="card bulk-bar"
          aria-label={t('Selected documents')}
          onSubmit={(event) => void submit(event)}
        >
          <div className="row bulk-bar-selection">
            <strong>{t('{count} selected', { count })}</strong>
            {selected.length < documents.length && (
              <button
                type="button"
                className="button"
                onClick={({ currentTarget }) => {
                  currentTarget.form?.querySelector('select')?.focus(); // the button disappears
                  selection.selectOnly(documents.map(({ id }) => id));
                }}
              >
                {t('Select all {count}', { count: format.count(documents.length) })}
              </button>
            )}
            <button
              type="button"
              className="button"
              onClick={() => {
                onClear();
                selection.selectOnly([]);
              }}
            >
              {t('Clear selection')}
            </button>
          </div>
          <Field label={t('Action')}>
            {(attributes) => (
              <select
                {...attributes}
                value={choice}
                onChange={(event) => setChoice(event.currentTarget.value)}
              >
                <optgroup label={t('Respond')}>
                  {responses.map(([value, label]) => (
                    <option key={value} value={`respond ${value}`}>
                      {t(label)}
                    </option>
                  ))}
                </optgroup>
                <optgroup label={t('Move')}>
                  {Object.entries(phaseActions).map(([value, label]) => (
                    <option key={value} value={`move ${value}`}>
                      {t(label)}
                    </option>
                  ))}
                </optgroup>
              </select>
            )}
          </Field>
          {kind === 'respond' && (
            <Field label={t('Comment')}>
              {(attributes) => (
                <input
                  {...attributes}
                  autoComplete="off"
                  value={content}
                  onChange={(event) => setContent(event.currentTarget.value)}
                />
              )}
            </Field>
          )}
          {action === 'DELETE' && (
            <label className="choice">
              <input type="checkbox" required />
              {t('Delete the documents for everyone. This cannot be undone.')}
            </label>
          )}
          <button
            type="submit"
            className={`button ${action === 'DELETE' ? 'button-danger' : 'button-primary'}`}
            disabled={isRunning}
          >
            {isRunning ? t('Sending…') : t('Apply to {count}', { count })}
          </button>
        </form>
      )}
    </div>
  );
}

function labelOf(kind: string | undefined, action: string): Label {
  return kind === 'move'
    ? phaseActions[action as PhaseAction]
    : responseActions[action as ResponseAction];
}
