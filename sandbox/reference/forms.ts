import { requireRole } from '../caller.ts';
import { json } from '../http/response.ts';
import type { Handler } from '../http/handler.ts';
import { param } from '../http/handler.ts';
import { notFound } from '../problem.ts';
import type { Service } from '../service.ts';
import type { Database } from '../store/database.ts';
import type { Form } from '../store/forms.ts';
import { findForm, listActiveForms } from '../store/forms.ts';

/** GET sysForm: all active forms (REST spec, System forms). */
export function getForms({ db }: Service): Handler {
  return ({ caller }) => {
    requireRole(caller, 'elAdminDocsR');
    return json(activeForms(db));
  };
}

/** All active forms as `sysForm` lists them. */
export function activeForms(db: Database): Record<string, unknown>[] {
  return listActiveForms(db).map(formToWire);
}

/** GET sysForm/{id} by full ID, also for inactive forms. */
export function getForm({ db }: Service): Handler {
  return (context) => {
    requireRole(context.caller, 'elAdminDocsR');
    const form = findForm(db, param(context, 'id').toLowerCase());
    if (form === undefined) throw notFound('There is no such form.');
    return json(formToWire(form));
  };
}

function formToWire(form: Form): Record<string, unknown> {
  return { _id: form.id, _id_web: form.webId, ...form.body };
}
