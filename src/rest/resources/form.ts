import type { Form } from '../../model/form.ts';
import {
  read,
  readCached,
  targetOf,
  type RequestTarget,
  type ResourceContext,
} from './resource-context.ts';
import type { CallResult } from '../client/call/call.ts';
import type { CachedResult } from '../client/call/reference-cache.ts';
import { withPathVariant } from '../client/dms-variants.ts';
import { formFromWire, formPaths } from '../wire/form.ts';
import { array, members } from '../wire/parse.ts';

/** Definitions of forms, which are cached. REST spec, System forms. */
export function formResource(context: ResourceContext) {
  const { http } = context;

  const readForms = <T>(
    label: string,
    key: string,
    translate: (response: CachedResult) => T,
    ...ids: readonly string[]
  ): Promise<T> => {
    const targetAt = (path: string): RequestTarget =>
      targetOf(label, ids.length === 0 ? path : `${path}/{id}`, ...ids);
    const readAt = (path: string) => (): Promise<CallResult> => read(context, targetAt(path));
    const load = (): Promise<CallResult> =>
      withPathVariant(http.variants.forms, readAt(formPaths.first), readAt(formPaths.second));
    const target = targetAt(formPaths[http.variants.forms.known ?? 'first']);
    return readCached(context, 'forms', target, key, load, translate);
  };

  return {
    /**
     * All active forms.
     *
     * Costs one upstream request, none while cached. One more until the spelling of the path is known.
     * @see REST spec, System forms
     */
    all(): Promise<Form[]> {
      return readForms('forms.all', 'all', ({ body, request }) =>
        members(array(body, request), (item) => formFromWire(item, request)),
      );
    },

    asSent(): Promise<readonly unknown[]> {
      return readForms('forms.asSent', 'as sent', ({ body, request }) => array(body, request));
    },

    async get(fullId: string): Promise<Form> {
      const translate = ({ body, request }: CachedResult): Form => formFromWire(body, request);
      return readForms('forms.get', `one ${fullId}`, translate, fullId);
    },
  };
}
