import { json } from '../http/response.ts';
import type { Handler } from '../http/handler.ts';
import { param } from '../http/handler.ts';
import { isFullId } from '../ids.ts';
import { badRequest, notFound } from '../problem.ts';
import type { Service } from '../service.ts';
import type { ListValue } from '../store/list-values.ts';
import { findListValue, listListValues } from '../store/list-values.ts';
import { metaOf } from '../store/meta.ts';

/** The shape in which a path returns list values (REST spec, List values). */
export interface Shape {
  /** Query parameter with the ID of the directory. */
  readonly parentParameter: '_id_kf' | 'kfid';
  readonly toWire: (value: ListValue) => Record<string, unknown>;
}

export const shapeV2: Shape = { parentParameter: '_id_kf', toWire: toWireV2 };
export const shapeV1: Shape = { parentParameter: 'kfid', toWire: toWireV1 };

/** GET listValue: all directories, or the values of one directory. Empty for an unknown directory. */
export function getListValues({ db }: Service, shape: Shape): Handler {
  return ({ query }) => {
    const parent = query.get(shape.parentParameter);
    if (parent !== null && !isFullId(parent)) {
      throw badRequest(`${shape.parentParameter} must be 24 hexadecimal characters.`);
    }
    return json(listListValues(db, parent?.toLowerCase() ?? null).map(shape.toWire));
  };
}

/** GET listValue/{id} by full ID. */
export function getListValue({ db }: Service, shape: Shape): Handler {
  return (context) => {
    const value = findListValue(db, param(context, 'id').toLowerCase());
    if (value === undefined) throw notFound('There is no such list value.');
    return json(shape.toWire(value));
  };
}

function toWireV2(value: ListValue): Record<string, unknown> {
  return {
    _id: value.id,
    ...(value.parent === null ? {} : { _id_kf: value.parent }),
    _id_ext: value.externalId ?? '',
    _meta: metaOf(value),
    author: value.author,
    status: value.status,
    type: value.type,
    value: value.value,
  };
}

function toWireV1(value: ListValue): Record<string, unknown> {
  const localized: Record<string, string> = Object.fromEntries(
    Object.entries(value.value).map(([language, text]) => [`valuedata_${language}`, text]),
  );
  return {
    _id: value.id,
    _id_ext: value.externalId ?? '',
    owner: value.owner,
    ...(value.parent === null ? {} : { kfunid: value.parent }),
    valuedata: value.plain,
    ...localized,
    _meta: metaOf(value),
  };
}
