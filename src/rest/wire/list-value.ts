import type { Translation } from '../../model/common.ts';
import type { ListValue, ListValueChange } from '../../model/list-value.ts';
import {
  id,
  idOrNull,
  int,
  meta,
  object,
  objectOrNull,
  suffixedTranslations,
  text,
  translations,
  type Wire,
} from './parse.ts';

export function listValueFromWire(answer: unknown, request: string): ListValue {
  const wire = object(answer, request);
  const current = translations(wire.value);
  return {
    fullId: id(wire, '_id', request),
    externalId: text(wire._id_ext),
    translations: current.length > 0 ? current : suffixedTranslations(wire, 'valuedata'),
    type: int(wire.type),
    status: int(wire.status),
    author: idOrNull(wire.author),
    owner: idOrNull(wire.owner),
    parentId: idOrNull(wire._id_kf) ?? idOrNull(wire.kfunid),
    meta: meta(wire._meta),
  };
}

export function isV1Shaped(answer: unknown): boolean {
  const entries = Array.isArray(answer) ? answer.slice(0, 1000) : [answer];
  return entries.some((entry) => {
    const wire = objectOrNull(entry);
    return wire !== null && !('value' in wire || '_id_kf' in wire) && hasV1Key(wire);
  });
}

function hasV1Key(wire: Wire): boolean {
  return 'kfunid' in wire || Object.keys(wire).some((key) => /^valuedata(?:_|$)/.test(key));
}

export function parentToWire(directoryId: string, asV1: boolean): Record<string, string> {
  return asV1 ? { _id_kf: directoryId, kfid: directoryId } : { _id_kf: directoryId };
}

export function listValueToWire(change: ListValueChange, asV1: boolean): object {
  return {
    _id: change.fullId,
    _id_kf: change.parentId,
    _id_ext: change.externalId,
    status: change.status,
    value: change.value && byLanguage(change.value, ''),
    ...(asV1 && v1ToWire(change)),
  };
}

function v1ToWire({ parentId, value }: ListValueChange): object {
  if (value === undefined) return { kfunid: parentId };
  // Unlike the texts with a language, `valuedata` is not optional (REST spec, List values).
  return { kfunid: parentId, valuedata: value[0]?.text, ...byLanguage(value, 'valuedata_') };
}

function byLanguage(value: readonly Translation[], prefix: string): Record<string, string> {
  return Object.fromEntries(value.map(({ language, text }) => [prefix + language, text]));
}
