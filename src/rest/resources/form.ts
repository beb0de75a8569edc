import type { Form } from '../../model/form.ts';
import { read } from './resource-context.ts';
import type { ResourceContext } from './resource-context.ts';
import type { UpstreamResponse } from '../client/upstream.ts';
import { pathSegment } from '../client/path.ts';
import { withPathVariant } from '../client/dms-variants.ts';
import { formFromWire, formPaths } from '../wire/form.ts';
import { array } from '../wire/parse.ts';

/** Definitions of forms, which are cached. REST spec, System forms. */
export function formResource(context: ResourceContext) {
  const { http, caller } = context;

  /** The specification has two spellings of the path. Both are tried, and the one that succeeds is remembered. */
  const requestForms = (
    rest: string,
    template: string,
    label: string,
  ): Promise<UpstreamResponse> => {
    const readAt = (base: string) => (): Promise<UpstreamResponse> =>
      read(context, { route: base + template, path: base + rest, label });
    return withPathVariant(http.variants.forms, readAt(formPaths.first), readAt(formPaths.second));
  };

  return {
    /**
     * All active forms.
     *
     * Costs one upstream request, none while cached. One more until the spelling of the path is known.
     * @throws {RestError} `FORBIDDEN` without the role elAdminDocsR
     * @see REST spec, System forms
     */
    all(): Promise<Form[]> {
      const load = (): Promise<UpstreamResponse> => requestForms('', '', 'forms.all');
      return http.reference.read('forms', caller.key, 'all', load, ({ body, request }) =>
        array(body, request).map((item) => formFromWire(item, request)),
      );
    },

    /** One form by full ID. Costs as much as `all`. @throws {RestError} `NOT_FOUND` if the form does not exist */
    async get(fullId: string): Promise<Form> {
      const id = pathSegment(fullId);
      const load = (): Promise<UpstreamResponse> => requestForms(`/${id}`, '/{id}', 'forms.get');
      return http.reference.read('forms', caller.key, `one ${id}`, load, ({ body, request }) =>
        formFromWire(body, request),
      );
    },
  };
}
