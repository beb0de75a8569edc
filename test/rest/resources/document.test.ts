import { describe, expect, it } from 'vitest';
import type { DocumentRequirement } from '../../../src/model/document-requirements.ts';
import { createMockDms, testDms } from '../../helpers/mock-dms.ts';

const id = '64a000000000000000000001';

describe('one document', () => {
  it.each<[DocumentRequirement[], string]>([
    [[], 'fields=_id'],
    [['shortId', 'state'], 'fields=_id,_id_web,state'],
    [['files', 'state'], 'fields=_id,state,filesList,id,fileName&embed=filesList'],
    [['values'], 'fields=_id,valuesByTags&embed=valuesByTags'],
    [['refByDocs'], 'fields=_id,refByDocs&embed=refByDocs'],
    [['recoData', 'recoData.validated'], 'fields=_id,recoData,validated&embed=recoData'],
    [['recoData', 'recoData.values'], 'fields=_id,recoData,valuesByTags&embed=recoData'],
    [
      ['recoData', 'recoData.result', 'recoData.result.confidence'],
      'fields=_id,recoData,recoResult,recoFormConfidence&embed=recoData,recoResult',
    ],
    [
      ['recoData', 'recoData.form', 'recoData.result', 'recoData.result.form'],
      'fields=_id,recoData,recoForm,form,id,name,recoResult&embed=recoData,recoResult',
    ],
    [
      ['response', 'response.iteration', 'response.actionCode', 'status'],
      'fields=_id,status,docResponse,itearation,taskstatus&embed=docResponse',
    ],
    [['extra:topic', 'extra:regNum', 'state'], 'fields=_id,state,regNum,topic'],
  ])('requests %j with %s', async (requirements, query) => {
    const mock = createMockDms().reply('GET', /docForm/, { _id: id });
    await testDms(mock).documents.get(id, new Set(requirements));
    expect(mock.requests).toEqual([`GET /api/v2/docForm/${id}?${query}`]);
  });
});
