import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DocumentRequirement } from '../../../src/model/document-requirements.ts';
import { translated } from '../../../src/rest/resources/resource-context.ts';
import { documentFromWire } from '../../../src/rest/wire/document.ts';
import { formFromWire } from '../../../src/rest/wire/form.ts';
import { listValueFromWire } from '../../../src/rest/wire/list-value.ts';
import { orgUnitFromWire } from '../../../src/rest/wire/org-unit.ts';
import { organizationFromWire } from '../../../src/rest/wire/organization.ts';
import { translateInParts, translateMembers } from '../../../src/rest/wire/translate-in-parts.ts';

const request = 'GET /api/v2/docForm/DOC-1';
const many = <T>(one: (i: number) => T): T[] => Array.from({ length: 300 }, (_, i) => one(i));
const names = Object.fromEntries(many((i) => [`l${i}`, 'text']));
const requirements = new Set<DocumentRequirement>([
  'tags',
  'files',
  'refByDocs',
  'recoData',
  'recoData.pageIndexStart',
]);

const document = {
  _id: 'd1',
  _tags: many((i) => (i % 2 === 0 ? '' : `tag ${i}`)),
  filesList: many((i) => (i % 3 === 0 ? {} : { id: `f${i}`, fileName: 'a.txt' })),
  refByDocs: many((i) => (i % 2 === 0 ? { _id: `d${i}` } : null)),
  recoData: many((i) => ({ _id: `r${i}`, pageIdxStart: i })),
};
const form = {
  _id: 'f1',
  doctitle_en: 'Form',
  doccf: {
    customFields: many((i) => ({
      type: 't',
      name: names,
      columns: i === 0 ? many(() => ({})) : [{ type: 'c' }],
    })),
  },
};

const shortForm = (i: number) => ({ _id: `f${i}`, doccf: { customFields: [{ type: 't' }] } });

const translations: [string, () => unknown][] = [
  ['a document', () => documentFromWire(document, request, requirements)],
  ['a form', () => formFromWire(form, request)],
  ['a list value', () => listValueFromWire({ _id: 'v1', value: names }, request)],
  [
    'a list value of version 1',
    () => listValueFromWire({ _id: 'v1', value: {}, valuedata_en: 'One' }, request),
  ],
  ['a unit', () => orgUnitFromWire({ _id_sys: 'u1', elmembers: many((i) => `usr-${i}`) }, request)],
  ['an organization', () => organizationFromWire({ _id: 'o1', nameExt: many(String) }, request)],
  ['a list', () => translateMembers(many(shortForm), (one) => formFromWire(one, request))],
];

/** Makes each step end when it first looks at the clock. */
function endStepsAtOnce(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 11));
  onTestFinished(() => void vi.restoreAllMocks());
}

/** Counts the iterations of the event loop until a promise settles. */
async function iterationsUntil(settled: Promise<unknown>): Promise<number> {
  let iterations = 0;
  const count = (): void => {
    iterations += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await settled;
  clearImmediate(next);
  return iterations;
}

describe('translateInParts', () => {
  it.each(translations)('translates %s as at once', async (_name, translate) => {
    const atOnce = translate();
    endStepsAtOnce();
    expect(await translateInParts(translate)).toEqual(atOnce);
  });

  it('has an iteration of the event loop after each step', async () => {
    endStepsAtOnce();
    const list = translateInParts(() => translateMembers(many(String), (member) => member));
    expect(await iterationsUntil(list)).toBeGreaterThanOrEqual(4);
    const short = translateInParts(() => translateMembers(['a'], (member) => member));
    expect(await iterationsUntil(short)).toBe(0);
  });

  it('rejects if a later part fails', async () => {
    endStepsAtOnce();
    const wire = { ...document, filesList: [...document.filesList, { fileName: 'without ID' }] };
    const reading = translateInParts(() => documentFromWire(wire, request, requirements));
    await expect(reading).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    expect(translateMembers(many(String), (member) => member)).toHaveLength(300);
  });
});

describe('a response', () => {
  it('is translated in parts if it is large', async () => {
    const translate = () => documentFromWire(document, request, requirements);
    expect(translated({ bytes: 2 ** 19 }, translate)).toEqual(translate());
    const large = translated({ bytes: 2 ** 19 + 1 }, translate);
    expect(large).toBeInstanceOf(Promise);
    expect(await large).toEqual(translate());
  });
});
