/** The part of the schema that the workloads use, served by every peer. */
export const TYPE_DEFS = /* GraphQL */ `
  scalar Upload

  enum DocumentView {
    INBOX
    MY_DOCS
    REPOSITORY
    ARCHIVE
    ALL
  }
  enum ResponseAction {
    APPROVE
    APPROVE_WITH_EDITS
    DECLINE
    COMPLETE_EXECUTION
    SIGN
  }

  interface Actor {
    systemId: String!
  }
  interface FieldValue {
    tag: String!
  }
  interface Error {
    message: String!
  }

  type Query {
    document(id: ID!): Document
    documents(view: DocumentView! = ALL, first: Int): DocumentConnection!
    listValue(id: ID!): ListValue
  }
  type Mutation {
    respondToDocument(input: RespondToDocumentInput!): RespondToDocumentResult!
    createDocument(input: CreateDocumentInput!): CreateDocumentResult!
  }

  type DocumentConnection {
    nodes: [Document!]!
    totalCount: Int
  }
  type DocumentReferenceConnection {
    nodes: [Document]!
    totalCount: Int!
  }
  type Document {
    id: ID!
    fullId: ID!
    shortId: String
    author: Actor
    state: Int
    step: Int
    iteration: Int
    status: Int
    dateCreated: String
    dateDue: String
    values: [FieldValue!]!
    files: [File!]!
    recoData: [RecoData!]!
    response: DocumentResponse
    refByDocs(first: Int): DocumentReferenceConnection!
  }
  type File {
    id: ID!
    name: String!
  }
  type TextValue implements FieldValue {
    tag: String!
    text: String!
  }
  type TableValue implements FieldValue {
    tag: String!
    columns: [String!]!
    rows: [[String!]!]!
  }
  type RecoData {
    id: ID!
    pageIndexStart: Int
    pageIndexEnd: Int
    validated: Boolean
    values: [FieldValue!]!
  }
  type DocumentResponse {
    fullId: ID!
    state: Int
    step: Int
    status: Int
    content: String
  }
  type Person implements Actor {
    systemId: String!
    email: String
    firstName: String
    lastName: String
    unitName: String
  }
  type ServiceAccount implements Actor {
    systemId: String!
  }
  type ListValue {
    fullId: ID!
    externalId: String
    value(language: String): String
    parent: ListValue
  }

  input RespondToDocumentInput {
    document: ID!
    response: ID!
    action: ResponseAction!
    content: String
    values: [FieldValueInput!]
  }
  input FieldValueInput {
    tag: String!
    text: String
  }
  input CreateDocumentInput {
    form: ID!
    files: [Upload!]
  }
  type RespondToDocumentPayload {
    document: Document
  }
  type CreateDocumentPayload {
    document: Document!
  }
  type NothingChangedError implements Error {
    message: String!
  }
  union RespondToDocumentResult = RespondToDocumentPayload | NothingChangedError
  union CreateDocumentResult = CreateDocumentPayload | NothingChangedError
`;
