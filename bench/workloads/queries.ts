const FILES_AND_VALUES = /* GraphQL */ `
    values { tag ... on TextValue { text } ... on TableValue { columns rows } }
    files { id name }`;

const AUTHOR = /* GraphQL */ `author { systemId ... on Person { email firstName lastName unitName } }`;

/** The operations as a front end would write them. */
export const QUERIES = {
  W1: /* GraphQL */ `
    query W1($id: ID!) {
      document(id: $id) {
        fullId
        shortId
        state
        step
        iteration
        status
        dateCreated
        dateDue
      }
    }
  `,

  W2: /* GraphQL */ `query W2($view: DocumentView!, $first: Int!) {
  documents(view: $view, first: $first) {
    totalCount
    nodes {
      fullId shortId state${FILES_AND_VALUES}
      ${AUTHOR}
    }
  }
}`,

  W3: /* GraphQL */ `query W3($id: ID!) {
  document(id: $id) {
    fullId shortId state
    refByDocs(first: 5) {
      totalCount
      nodes {
        fullId shortId state
        recoData { id pageIndexStart pageIndexEnd validated values { tag ... on TextValue { text } } }
        files { id name }
        ${AUTHOR}
        response { fullId state step status content }
      }
    }
  }
}`,

  W5: /* GraphQL */ `mutation W5($document: ID!, $response: ID!) {
  respondToDocument(
    input: { document: $document, response: $response, action: APPROVE, content: "Seen and agreed" }
  ) {
    ... on RespondToDocumentPayload {
      document {
        fullId shortId state step status${FILES_AND_VALUES}
      }
    }
    ... on Error { message }
  }
}`,

  W5s: /* GraphQL */ `
    mutation W5s($document: ID!, $response: ID!, $content: String, $values: [FieldValueInput!]) {
      respondToDocument(
        input: {
          document: $document
          response: $response
          action: APPROVE_WITH_EDITS
          content: $content
          values: $values
        }
      ) {
        ... on RespondToDocumentPayload {
          document {
            id
            state
            step
            iteration
            status
          }
        }
        ... on Error {
          message
        }
      }
    }
  `,

  W6: /* GraphQL */ `
    mutation W6($file: Upload!) {
      createDocument(input: { form: "invoice", files: [$file] }) {
        ... on CreateDocumentPayload {
          document {
            shortId
          }
        }
        ... on Error {
          message
        }
      }
    }
  `,
} as const;

/** A list value with its parents, `levels` deep. Costs one upstream call per level without a cache. */
export function levelsQuery(levels: number): string {
  let inner = '';
  for (let level = 1; level < levels; level += 1) {
    inner = ` parent { fullId externalId value(language: "en")${inner} }`;
  }
  return `query Levels($id: ID!) { listValue(id: $id) { fullId externalId value(language: "en")${inner} } }`;
}
