import type { Form } from '../../model/form.ts';
import { read } from './resource-context.ts';
import type { Endpoint } from './resource-context.ts';
import type { Answer } from '../client/upstream.ts';
import { segment } from '../client/path.ts';
import { inEitherSpelling } from '../client/dms-variants.ts';
import { formFromWire, formPaths } from '../wire/form.ts';
import { array } from '../wire/parse.ts';

export function formsApi(endpoint: Endpoint) {
  const { http, caller } = endpoint;

  /** Which spelling of the path the service accepts is not shown: both are tried, and the right one remembered. */
  const inFormPath = (rest: string, template: string, why: string): Promise<Answer> => {
    const ask = (base: string) => (): Promise<Answer> =>
      read(endpoint, { route: base + template, path: base + rest, why });
    return inEitherSpelling(http.quirks.forms, ask(formPaths.first), ask(formPaths.second));
  };

  return {
    /**
     * All active forms.
     *
     * Costs one upstream request, none while kept; one more until the spelling of the path is known.
     * @throws {RestError} `FORBIDDEN` without the role elAdminDocsR
     * @see REST spec, System forms
     */
    all(): Promise<Form[]> {
      const load = (): Promise<Answer> => inFormPath('', '', 'forms.all');
      return http.reference.read('forms', caller.key, 'all', load, ({ body, request }) =>
        array(body, request).map((item) => formFromWire(item, request)),
      );
    },

    /** One form by full id. Costs as `all`. @throws {RestError} `NOT_FOUND` when there is no such form */
    async get(fullId: string): Promise<Form> {
      const id = segment(fullId);
      const load = (): Promise<Answer> => inFormPath(`/${id}`, '/{id}', 'forms.get');
      return http.reference.read('forms', caller.key, `one ${id}`, load, ({ body, request }) =>
        formFromWire(body, request),
      );
    },
  };
}
