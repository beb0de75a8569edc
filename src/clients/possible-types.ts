/** The types of each interface and union, for Apollo Client. Written by `npm run update`. */
export const possibleTypes = {
  Actor: ['Person', 'ServiceAccount'],
  CreateDocumentResult: ['CreateDocumentPayload', 'ForbiddenError', 'NotFoundError', 'NothingChangedError', 'ValidationError'],
  DeleteOrganizationResult: ['DeleteOrganizationPayload', 'ForbiddenError', 'NotFoundError', 'NothingChangedError', 'ValidationError'],
  Error: ['ConflictError', 'ForbiddenError', 'NotFoundError', 'NothingChangedError', 'ValidationError'],
  FieldValue: ['TableValue', 'TextValue'],
  MoveDocumentResult: ['ConflictError', 'ForbiddenError', 'MoveDocumentPayload', 'NotFoundError', 'NothingChangedError', 'ValidationError'],
  Node: ['Document', 'DocumentResponse', 'Form', 'ListValue', 'OrgUnit', 'Organization', 'Person', 'ServiceAccount'],
  RespondToDocumentResult: ['ConflictError', 'ForbiddenError', 'NotFoundError', 'NothingChangedError', 'RespondToDocumentPayload', 'ValidationError'],
  UpdatePersonResult: ['ForbiddenError', 'NotFoundError', 'NothingChangedError', 'UpdatePersonPayload', 'ValidationError'],
  UpsertListValueResult: ['ForbiddenError', 'NotFoundError', 'NothingChangedError', 'UpsertListValuePayload', 'ValidationError'],
  UpsertOrgUnitResult: ['ForbiddenError', 'NotFoundError', 'NothingChangedError', 'UpsertOrgUnitPayload', 'ValidationError'],
  UpsertOrganizationResult: ['ForbiddenError', 'NotFoundError', 'NothingChangedError', 'UpsertOrganizationPayload', 'ValidationError'],
};
