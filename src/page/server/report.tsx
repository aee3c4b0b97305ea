/** The report of a server to the moderators: a button, and the one dialog that it opens. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { AnswerError, postJson } from '../connection/get-json.ts';
import { Dialog } from '../parts/dialog.tsx';
import { usePage } from '../parts/page-context.ts';

const TIMEOUT_MS = 15_000;

export function ReportButton({ server }: { readonly server: ListedServer }): JSX.Element {
  const { settings, texts } = usePage();
  const { report } = texts;
  const [isOpen, setOpen] = useState(false);
  const [outcome, setOutcome] = useState('');
  const send = async (form: HTMLFormElement): Promise<void> => {
    const { reason, note } = Object.fromEntries(new FormData(form));
    try {
      await postJson(
        'report',
        { id: server.id, reason, note: note || undefined },
        AbortSignal.timeout(TIMEOUT_MS),
      );
      setOutcome(report.done);
    } catch (error) {
      setOutcome((error instanceof AnswerError && error.reason) || texts.join.outcome.away);
    }
  };
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          setOutcome('');
          setOpen(true);
        }}
      >
        {report.open}
      </button>
      {isOpen && (
        <Dialog name="report" title={server.name} onClose={() => setOpen(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void send(event.currentTarget);
            }}
          >
            <label>
              {report.reason}
              <select class="field" name="reason">
                {settings.reportReasons.map((reason) => (
                  <option key={reason}>{reason}</option>
                ))}
              </select>
            </label>
            {settings.reportNotes && (
              <label>
                {report.note}
                <input class="field" name="note" maxLength={160} />
              </label>
            )}
            <button class="button is-main">{report.open}</button>
            <p role="status">{outcome}</p>
          </form>
        </Dialog>
      )}
    </>
  );
}
