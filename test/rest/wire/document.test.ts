import { describe, expect, it } from 'vitest';
import type { DocumentRequirement } from '../../../src/model/document-requirements.ts';
import { documentProjection } from '../../../src/rest/wire/document.ts';
import { valuesFromWire } from '../../../src/rest/wire/field-values.ts';

const request = 'GET /test';

const allRequirements: DocumentRequirement[] = [
  'shortId',
  'meta',
  'author',
  'state',
  'step',
  'iteration',
  'status',
  'formSystemType',
  'dateCreated',
  'dateDue',
  'tags',
  'values',
  'files',
  'refByDocs',
  'response',
  'response.iteration',
  'recoData',
  'recoData.validated',
  'recoData.form',
  'recoData.result',
  'recoData.result.confidence',
  'recoData.values',
  'extra:topic',
];

const bareDocument = {
  fullId: 'd1',
  shortId: null,
  meta: null,
  author: null,
  state: null,
  step: null,
  iteration: null,
  status: null,
  formSystemType: null,
  dateCreated: null,
  dateDue: null,
  tags: [],
  values: valuesFromWire(null),
  files: [],
  refByDocs: [],
  response: null,
  recoData: [],
  extra: {},
};

describe('a document', () => {
  it('has exactly the required properties', () => {
    const wire = { _id: 'd1', _id_web: 'A1', state: 3, author: 'usr-a' };
    const read = documentProjection(new Set<DocumentRequirement>(['state']), true).read(
      wire,
      request,
    );
    expect(read).toEqual({ fullId: 'd1', state: 3 });
  });

  it('has null, empty lists and no extra values for missing properties', () => {
    expect(documentProjection(new Set(allRequirements), true).read({ _id: 'd1' }, request)).toEqual(
      bareDocument,
    );
  });

  it('has the short ID that the DMS shows, also if it could not be requested by it', () => {
    const wire = { _id: 'd1', _id_web: 'INV/2026/7', author: 'usr/ann' };
    const read = documentProjection(new Set(['shortId', 'author'] as const), true).read(
      wire,
      request,
    );
    expect(read).toEqual({ fullId: 'd1', shortId: 'INV/2026/7', author: null });
  });

  it('is read with all properties', () => {
    const wire = {
      _id: 'd1',
      _meta: { _created: '2026-01-01T00:00:00Z', _lastmodified: '', _rev: '4' },
      datedue: '',
      _tags: ['a', '', 7],
      filesList: [{ id: 'f1', fileName: 'a.pdf' }, {}, null, { id: 'f2' }],
      refByDocs: ['d2', { _id: 'd3' }, null],
      docResponse: { _id: 'r1', itearation: '2', taskstatus: 4 },
      recoData: [
        {
          _id: 'e1',
          validated: 'true',
          recoForm: { form: { any: 1 }, id: 'rf', name: 'Invoice' },
          recoResult: { recoForm: { form: null, id: 'rf', name: '' }, recoFormConfidence: '0.5' },
          valuesByTags: { a: 'b' },
        },
      ],
      topic: { deep: true },
    };
    expect(documentProjection(new Set(allRequirements), true).read(wire, request)).toMatchObject({
      meta: { createdAt: '2026-01-01T00:00:00Z', modifiedAt: null, revision: 4 },
      dateDue: null,
      tags: ['a', '7'],
      files: [
        { documentId: 'd1', id: 'f1', name: 'a.pdf' },
        { documentId: 'd1', id: 'f2', name: '' },
      ],
      refByDocs: ['d2', 'd3'],
      response: { fullId: 'r1', iteration: 2 },
      recoData: [
        {
          documentId: 'd1',
          id: 'e1',
          validated: true,
          form: { id: 'rf', name: 'Invoice', form: { any: 1 } },
          result: { form: { id: 'rf', name: null, form: null }, confidence: 0.5 },
          values: { byTags: { a: 'b' } },
        },
      ],
      extra: { topic: { deep: true } },
    });
  });

  it('accepts hostile names of extra properties', () => {
    const wire: unknown = JSON.parse('{"_id":"d1","__proto__":{"polluted":true}}');
    const requirements = new Set<DocumentRequirement>(['extra:__proto__', 'extra:toString']);
    const { extra } = documentProjection(requirements, true).read(wire, request);
    expect(JSON.stringify(extra)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['an attachment', { filesList: [{ fileName: 'a' }] }],
    ['a response', { docResponse: { state: 1 } }],
    ['a recognition entry', { recoData: [{ validated: true }] }],
  ])('is rejected if %s has no ID', (_what, part) => {
    expect(() =>
      documentProjection(new Set(allRequirements), true).read({ _id: 'd1', ...part }, request),
    ).toThrow('UPSTREAM_ERROR');
  });
});

it('the query of a document does not depend on the order of requirements', () => {
  const forwards = documentProjection(new Set(allRequirements), true).query;
  expect(documentProjection(new Set(allRequirements.toReversed()), true).query).toBe(forwards);
  expect(forwards).toBe(
    '?fields=_id,_id_web,_meta,author,state,step,iteration,status,formsystype,datecreated,' +
      'datedue,_tags,valuesByTags,filesList,id,fileName,refByDocs,docResponse,itearation,' +
      'recoData,validated,recoForm,form,name,recoResult,recoFormConfidence,topic' +
      '&embed=valuesByTags,filesList,refByDocs,docResponse,recoData,recoResult',
  );
});
