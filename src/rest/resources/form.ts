import type { Form } from '../../model/form.ts';
import { read, readCached, type RequestTarget, type ResourceContext } from './resource-context.ts';
import type { UpstreamResponse } from '../client/upstream-call.ts';
import { pathSegment } from '../client/path.ts';
import { withPathVariant } from '../client/dms-variants.ts';
import { formFromWire, formPaths } from '../wire/form.ts';
import { array } from '../wire/parse.ts';

/** One of the reads of forms: its path and route after the base path, and its key in the cache. */
interface FormRead {
  readonly rest: string;
  readonly template: string;
  readonly label: string;
  readonly key: string;
}

/** Definitions of forms, which are cached. REST spec, System forms. */
export function formResource(context: ResourceContext) {
  const { http } = context;

  /** The specification has two spellings of the path. Both are tried, and the one that succeeds is remembered. */
  const readForms = <T>(
    { rest, template, label, key }: FormRead,
    translate: (response: UpstreamResponse) => T,
  ): Promise<T> => {
    const targetAt = (base: string): RequestTarget => ({
      route: base + template,
      path: base + rest,
      label,
    });
    const readAt = (base: string) => (): Promise<UpstreamResponse> => read(context, targetAt(base));
    const load = (): Promise<UpstreamResponse> =>
      withPathVariant(http.variants.forms, readAt(formPaths.first), readAt(formPaths.second));
    const target = targetAt(formPaths[http.variants.forms.known ?? 'first']);
    return readCached(context, 'forms', target, key, load, translate);
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
      const all = { rest: '', template: '', label: 'forms.all', key: 'all' };
      return readForms(all, ({ body, request }) =>
        array(body, request).map((item) => formFromWire(item, request)),
      );
    },

    /** All active forms as the DMS sends them. Costs as much as `all`, and fails with the same errors. */
    asSent(): Promise<readonly unknown[]> {
      const all = { rest: '', template: '', label: 'forms.asSent', key: 'as sent' };
      return readForms(all, ({ body, request }) => array(body, request));
    },

    /** One form by full ID. Costs as much as `all`. @throws {RestError} `NOT_FOUND` if the form does not exist */
    async get(fullId: string): Promise<Form> {
      const id = pathSegment(fullId);
      const one = { rest: `/${id}`, template: '/{id}', label: 'forms.get', key: `one ${id}` };
      return readForms(one, ({ body, request }) => formFromWire(body, request));
    },
  };
}
