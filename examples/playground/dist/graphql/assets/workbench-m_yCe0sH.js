import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{C as t,S as n,a as r,b as i,c as a,d as o,f as s,g as c,h as l,i as u,l as d,m as f,n as p,o as ee,p as m,r as te,s as h,t as ne,u as re,w as g,x as _}from"./packages-DSdR3ndt.js";import{a as ie,n as ae}from"./react-CPU5xpvM.js";import{a as v,c as y,i as b,l as x,n as oe,o as S,r as C,s as se,t as ce,u as le}from"./index-B7SLRKNF.js";import{t as ue}from"./tabFocus-CxD7yill.js";var w=e(ie(),1),T=ae(),de={all:`M4 6h16M4 12h16M4 18h16`,archive:`M4 4h16v4H4zM6 8v12h12V8M10 12h4`,arrowLeft:`M19 12H5M11 6l-6 6 6 6`,calls:`M4 6h9M8 12h9M12 18h8`,check:`M5 13l4 4L19 7`,clock:`M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2`,close:`M6 6l12 12M18 6L6 18`,copy:`M9 9h11v11H9zM5 15H4V4h11v1`,document:`M7 3h7l5 5v13H7zM14 3v5h5`,documentation:`M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h12M9 8h6`,download:`M12 4v11M7 11l5 5 5-5M5 20h14`,examples:`M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z`,edit:`M4 20h4L19 9l-4-4L4 16zM13 7l4 4`,filter:`M4 6h16M7 12h10M10 18h4`,first:`M18 6l-6 6 6 6M7 6v12`,history:`M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2`,image:`M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M9 9h.01`,inbox:`M5 4h14l2 10v5H3v-5zM3 14h5a4 4 0 0 0 8 0h5`,keyboard:`M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10`,last:`M6 6l6 6-6 6M17 6v12`,link:`M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7L12 17.7`,menu:`M4 7h16M4 12h16M4 17h16`,merge:`M6 4v4c0 4 12 4 12 8v4M18 4v4c0 1.6-2 2.6-4 3.4M6 20v-4c0-1.6 2-2.6 4-3.4`,more:`M5 12h.01M12 12h.01M19 12h.01`,next:`M9 6l6 6-6 6`,play:`M7 4l12 8-12 8z`,plus:`M12 5v14M5 12h14`,prettify:`M4 6h10M8 11h12M8 16h8M4 21h10`,previous:`M15 6l-6 6 6 6`,repository:`M4 7c0-2 16-2 16 0v10c0 2-16 2-16 0zM4 7c0 2 16 2 16 0M4 12c0 2 16 2 16 0`,search:`M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM20 20l-4.5-4.5`,sort:`M7 5v14M4 16l3 3 3-3M17 19V5M14 8l3-3 3 3`,stop:`M6 6h12v12H6z`,user:`M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 20a7 7 0 0 1 14 0`,warning:`M12 4l9 16H3zM12 10v4M12 17h.01`};function E({name:e}){return(0,T.jsx)(`svg`,{className:`icon`,viewBox:`0 0 24 24`,"aria-hidden":`true`,children:(0,T.jsx)(`path`,{d:de[e]})})}var D=v(null);function O(){return S(D)}var k=null;function fe(e){return!b.introspection||b.persistedOnly||D.get()!==null?Promise.resolve():(k??=pe(e).finally(()=>k=null),k)}async function pe(e){let t=await fetch(`schema.graphql`,{headers:e});t.ok&&D.set(i(await t.text()))}var me=100;function he(e,t){let n=t.trim().toLowerCase(),r=[[],[],[]];for(let[t,i]of ge(e)){let e=(n.includes(`.`)?i.label:t).toLowerCase(),a=e.indexOf(n);a>=0&&r[e===n?0:a===0?1:2].push(i)}return r.flat().slice(0,me)}function*ge(e){for(let t of Object.values(e.getTypeMap())){if(t.name.startsWith(`__`))continue;yield[t.name,{label:t.name,path:[t]}];for(let{name:e}of`getValues`in t?t.getValues():[])yield[e,{label:`${t.name}.${e}`,path:[t]}];let e=`getFields`in t?Object.values(t.getFields()):[];for(let n of e){let e=`${t.name}.${n.name}`;yield[n.name,{label:e,path:[t,n]}];let r=`args`in n?n.args:[];for(let{name:i}of r)yield[i,{label:`${e}(${i}:)`,path:[t,n]}]}}}var _e={title:`Documentation`,icon:()=>(0,T.jsx)(E,{name:`documentation`}),content:ve};function ve(){let e=O();return e===null?(0,T.jsx)(`p`,{className:`muted`,children:`There is no schema.`}):(0,T.jsx)(ye,{schema:e})}function ye({schema:e}){let n=p(),{push:i,pop:a}=te(),[o,s]=(0,w.useState)({text:``,pages:n}),c=o.pages===n?o.text:``,l=n.at(-1),d=(0,w.useRef)(null),f=(0,w.useRef)(n);(0,w.useEffect)(()=>{f.current!==n&&d.current?.focus(),f.current=n},[n]);let m=({path:e})=>{for(let t of e)i({name:t.name,def:t})},h=c.trim()===``?null:he(e,c);return(0,T.jsxs)(`section`,{className:`documentation`,"aria-label":`Documentation`,children:[(0,T.jsx)(`input`,{type:`search`,"aria-label":`Search the documentation`,placeholder:`Type, field, Type.field or value`,value:c,onChange:({currentTarget:e})=>s({text:e.value,pages:n}),onKeyDown:({key:e})=>{e===`Enter`&&h?.[0]&&m(h[0])}}),h===null?(0,T.jsxs)(T.Fragment,{children:[n.length>1&&(0,T.jsxs)(`button`,{type:`button`,className:`button button-quiet`,onClick:a,children:[(0,T.jsx)(E,{name:`previous`}),n.at(-2)?.name]}),(0,T.jsx)(`h3`,{ref:d,tabIndex:-1,children:l?.name}),l?.def===void 0?(0,T.jsx)(r,{schema:e}):t(l.def)?(0,T.jsx)(u,{type:l.def}):(0,T.jsx)(ee,{field:l.def})]}):(0,T.jsxs)(T.Fragment,{children:[(0,T.jsx)(`ul`,{children:h.map(e=>(0,T.jsx)(`li`,{children:(0,T.jsx)(`button`,{type:`button`,className:`found`,onClick:()=>m(e),children:e.label})},e.label))}),(0,T.jsx)(`p`,{role:`status`,className:`muted`,children:h.length===0&&`Nothing in the schema has this name.`})]})]})}var be=matchMedia(`(width >= 1280px)`),A=matchMedia(`(width < 760px)`);function xe(){return be.matches}function Se(){return(0,w.useSyncExternalStore)(e=>(A.addEventListener(`change`,e),()=>A.removeEventListener(`change`,e)),()=>A.matches)}var Ce=`# Reads the inbox with files, field values, recognition data, authors and referencing documents.
query Inbox {
  viewer {
    runAs
  }
  documents(view: INBOX, first: 20) {
    totalCount
    nodes {
      id
      shortId
      dateDue
      author {
        id
        displayName
        ... on Person {
          email
        }
      }
      values {
        tag
        ... on TextValue {
          text
        }
        ... on TableValue {
          records
        }
      }
      files {
        name
        url
      }
      recoData {
        validated
        form {
          name
        }
        result {
          confidence
        }
      }
      refByDocs(first: 5) {
        totalCount
        nodes {
          id
          shortId
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,we=`# Reads a document with the objects that its values refer to, and the response that the user is expected to give.
# The ID can be a short, full or global ID.
query Document($id: ID!) {
  document(id: $id) {
    id
    fullId
    state
    step
    iteration
    status
    meta {
      createdAt
      modifiedAt
      revision
    }
    supplier: value(tag: "supplier") {
      ... on TextValue {
        organization {
          id
          name
          governmentId
          area {
            id
            value
          }
        }
      }
    }
    costCentre: value(tag: "costcentre") {
      ... on TextValue {
        listValue {
          id
          value(language: "de")
        }
      }
    }
    lines: value(tag: "lines") {
      ... on TableValue {
        columns
        rows
      }
    }
    response {
      id
      action
      author {
        id
        systemId
      }
    }
    recognizedText(page: 0) {
      text
      totalCount
    }
    recognizedPdfUrl
    extra(names: ["docnum"])
  }
}
`,Te=`{ "id": "DOC-0191" }
`,Ee=`# Reads a filtered and sorted page of a view. \`after\` is the \`endCursor\` of the previous page.
query Archive($after: String) {
  documents(
    view: ARCHIVE
    filter: { tags: ["finance"] }
    orderBy: { field: DATE_CREATED, direction: DESC }
    first: 10
    after: $after
  ) {
    totalCount
    edges {
      cursor
      node {
        id
        shortId
        dateCreated
        tags
      }
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      endCursor
    }
  }
}
`,De=`# Finds documents by words of their short IDs, file names and values, regardless of case and accents.
query Search($text: String = "re-2026-0001") {
  documents(search: $text, orderBy: { field: DATE_CREATED, direction: DESC }, first: 20) {
    totalCount
    nodes {
      id
      shortId
      dateCreated
      files {
        name
      }
    }
  }
}
`,Oe=`# Reads forms, directories with their values, and organizations: the data of a form editor.
query ReferenceData {
  forms {
    id
    shortId
    title(language: "de")
    customFields {
      type
      fieldName
      required
      name(language: "de")
    }
  }
  directories {
    id
    value
    values {
      id
      value
      translations {
        language
        text
      }
    }
  }
  organizations(first: 50) {
    totalCount
    nodes {
      id
      name
      type {
        id
        value
      }
      owner {
        id
        fullName
      }
    }
  }
}
`,ke=`# Reads a unit with its head, its members and their deputies.
query Unit($id: ID!) {
  orgUnit(id: $id) {
    id
    name
    head {
      id
      ...Contact
    }
    members {
      id
      ...Contact
      deputy {
        enabled
        person {
          id
          systemId
        }
      }
    }
  }
}

fragment Contact on Person {
  id
  fullName
  email
  officePhone
}
`,Ae=`{ "id": "unit0001" }
`,je=`# Reads an object by its global ID, as Relay and other caches do.
query Refetch($ids: [ID!]!) {
  nodes(ids: $ids) {
    __typename
    id
    ... on Document {
      shortId
    }
    ... on Person {
      fullName
    }
  }
}
`,Me=`{ "ids": ["RG9jdW1lbnQ6NjVmMDAwMDA1ZWVkMDBkMDAwMDAwMGJm", "UGVyc29uOnVzci1hbm4="] }
`,Ne=`# A page of up to 500 documents: the gateway asks the DMS for 100 at a time and joins them.
query Export($after: String) {
  documents(view: REPOSITORY, first: 500, after: $after) {
    totalCount
    nodes {
      id
      shortId
      dateCreated
      meta {
        revision
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,Pe=`# Reads the form of a document and the labels of its fields, which need no role and no REST call.
query Labels($id: ID!, $language: String) {
  document(id: $id) {
    id
    form {
      id
      title(language: $language)
    }
    labels {
      tag
      label(language: $language)
    }
  }
}
`,Fe=`{ "id": "DOC-0191", "language": "de" }
`,Ie=`# Reads invoices with their typed form: totals are exact, dates are dates, and suppliers are organizations.
query Invoices {
  documents(view: INBOX, filter: { forms: ["invoice"] }, first: 10) {
    totalCount
    nodes {
      id
      shortId
      invoice {
        number
        date
        total
        currency {
          id
          value
        }
        supplier {
          id
          name
        }
        lines {
          article
          quantity
          amount
        }
      }
    }
  }
}
`,Le=`# Creates an invoice with the fields of its form, which are checked before anything is sent.
mutation CreateInvoice($fields: InvoiceFieldsInput!) {
  createDocument(input: { form: "invoice", fields: { invoice: $fields } }) {
    __typename
    ... on CreateDocumentPayload {
      document {
        id
        shortId
        invoice {
          number
          total
          supplier {
            id
            name
          }
        }
      }
    }
    ... on ValidationError {
      message
      issues {
        path
        message
      }
    }
    ... on Error {
      message
    }
  }
}
`,Re=`{
  "fields": {
    "number": "RE-2026-0100",
    "date": "2026-03-01",
    "supplier": "65f000005eed00c000000002",
    "total": "2587.71",
    "lines": [{ "article": "Copy paper A4", "quantity": "9", "amount": "44.01" }]
  }
}
`,ze=`# Creates a document and sends it to approval. docs/uploads.md describes attachments.
mutation CreateDocument($input: CreateDocumentInput!) {
  createDocument(input: $input) {
    __typename
    ... on CreateDocumentPayload {
      workflowError
      document {
        id
        shortId
        state
        values {
          tag
          ... on TextValue {
            text
          }
        }
      }
    }
    ... on ValidationError {
      message
      issues {
        path
        message
      }
    }
    ... on Error {
      message
    }
  }
}
`,Be=`{
  "input": {
    "form": "purchase",
    "values": [
      { "tag": "subject", "text": "Two monitors" },
      { "tag": "items", "table": { "columns": ["item", "quantity"], "rows": [["Monitor", "2"]] } }
    ],
    "tags": ["it"],
    "action": "SEND_TO_APPROVAL"
  }
}
`,Ve=`# Responds to a document in the current phase. The gateway determines the response ID.
mutation Approve($input: RespondToDocumentInput!) {
  respondToDocument(input: $input) {
    __typename
    ... on RespondToDocumentPayload {
      document {
        id
        shortId
        state
        meta {
          revision
        }
      }
    }
    ... on ConflictError {
      expectedRevision
      actualRevision
    }
    ... on Error {
      message
    }
  }
}
`,He=`{ "input": { "document": "DOC-0191", "action": "APPROVE", "content": "Checked and fine." } }
`,Ue=`# Changes status or phase, as the initiator or an administrator.
mutation Suspend($input: MoveDocumentInput!) {
  moveDocument(input: $input) {
    __typename
    ... on MoveDocumentPayload {
      document {
        id
        shortId
        status
      }
    }
    ... on ForbiddenError {
      requiredRole
    }
    ... on Error {
      message
    }
  }
}
`,We=`{ "input": { "document": "DOC-0198", "action": "SUSPEND" } }
`,Ge=`# Updates the organization with this external ID, or creates it.
mutation UpsertOrganization($input: UpsertOrganizationInput!) {
  upsertOrganization(input: $input) {
    __typename
    ... on UpsertOrganizationPayload {
      organization {
        id
        externalId
        name
        owner {
          id
          fullName
        }
      }
    }
    ... on Error {
      message
    }
  }
}
`,Ke=`{ "input": { "externalId": "erp-0099", "name": "Meridian Optics SA", "owner": "usr-eva" } }
`,qe=`# Deletes an organization. \`deletedId\` is its global ID, with which a client can remove it from its cache.
mutation DeleteOrganization($input: DeleteOrganizationInput!) {
  deleteOrganization(input: $input) {
    __typename
    ... on DeleteOrganizationPayload {
      deletedId
    }
    ... on Error {
      message
    }
  }
}
`,Je=`{ "input": { "id": "erp-0099" } }
`,Ye=`# Creates a value of a directory in two languages.
mutation UpsertListValue($input: UpsertListValueInput!) {
  upsertListValue(input: $input) {
    __typename
    ... on UpsertListValuePayload {
      listValue {
        id
        value
        parent {
          id
        }
      }
    }
    ... on Error {
      message
    }
  }
}
`,Xe=`{
  "input": {
    "directory": "65f000005eed001000000003",
    "externalId": "cc-500",
    "status": 1,
    "value": [
      { "language": "en", "text": "500 Research" },
      { "language": "de", "text": "500 Forschung" }
    ]
  }
}
`,Ze=`# Sets the deputy of a person.
mutation UpdatePerson($input: UpdatePersonInput!) {
  updatePerson(input: $input) {
    __typename
    ... on UpdatePersonPayload {
      person {
        id
        fullName
        deputy {
          enabled
          person {
            id
            fullName
          }
        }
      }
    }
    ... on Error {
      message
    }
  }
}
`,Qe=`{
  "input": {
    "id": "usr-ann",
    "officePhone": "+49 30 5550 100",
    "deputy": { "person": "usr-bob", "enabled": true }
  }
}
`,$e=`# Sets the head of a unit. Omitted fields are not changed.
mutation UpsertOrgUnit($input: UpsertOrgUnitInput!) {
  upsertOrgUnit(input: $input) {
    __typename
    ... on UpsertOrgUnitPayload {
      orgUnit {
        id
        systemId
        name
        head {
          id
          fullName
        }
      }
    }
    ... on Error {
      message
    }
  }
}
`,et=`{ "input": { "id": "unit0001", "head": "usr-bob" } }
`,tt=`# Workflow actions on several documents at once. Each is sent once and has its own result, in the order of the input.
mutation ApproveAll($input: RespondToDocumentsInput!) {
  respondToDocuments(input: $input) {
    __typename
    results {
      __typename
      ... on RespondToDocumentPayload {
        document {
          id
          shortId
          state
        }
      }
      ... on ConflictError {
        actualRevision
      }
      ... on Error {
        message
      }
    }
  }
}
`,nt=`{
  "input": {
    "responses": [
      { "document": "DOC-0179", "action": "APPROVE" },
      { "document": "DOC-0169", "action": "APPROVE", "content": "Checked and fine." },
      { "document": "DOC-0158", "action": "SIGN" }
    ]
  }
}
`,rt=`# Suspends a document, resumes it, and deletes another: changes of one document are made in the order of the input.
mutation Tidy($input: MoveDocumentsInput!) {
  moveDocuments(input: $input) {
    __typename
    results {
      __typename
      ... on MoveDocumentPayload {
        document {
          id
          shortId
          status
        }
      }
      ... on ForbiddenError {
        requiredRole
      }
      ... on Error {
        message
      }
    }
  }
}
`,it=`{
  "input": {
    "moves": [
      { "document": "DOC-0159", "action": "SUSPEND" },
      { "document": "DOC-0159", "action": "RESUME" },
      { "document": "DOC-0144", "action": "DELETE" }
    ]
  }
}
`,at=`# Watches a document. Sends its current state first, then an event after each change by anybody.
subscription WatchDocument($id: ID!) {
  documentChanged(id: $id) {
    id
    shortId
    state
    status
    meta {
      revision
      modifiedAt
    }
  }
}
`,ot=`{
  "id": "DOC-0191"
}
`,st=`# Watches the first page of the inbox. Each event names the documents that were added, changed or removed.
subscription WatchInbox {
  documentsChanged(view: INBOX, first: 20) {
    added {
      id
      shortId
      state
    }
    changed {
      id
      shortId
      state
    }
    removedIds
  }
}
`,ct=`# Reads a document. The recognized text and the referencing documents follow when the DMS has returned them.
query Details($id: ID!) {
  document(id: $id) {
    id
    shortId
    state
    ... @defer {
      recognizedText(page: 0) {
        text
      }
    }
    refByDocs(first: 20) {
      nodes @stream(initialCount: 1) {
        id
        shortId
      }
    }
  }
}
`,lt=`{
  "id": "DOC-0191"
}
`,ut=[`Read`,`Nested`,`Typed forms`,`Write`,`Live`,`Deferred`];function dt(e){return Object.keys(e).filter(e=>e.endsWith(`.graphql`)).toSorted().map(t=>ft(t,e[t],e[t.replace(/graphql$/,`json`)]??``)).toSorted((e,t)=>ut.indexOf(e.group)-ut.indexOf(t.group))}function ft(e,t,n){let r=g(t).definitions.find(e=>e.kind===`OperationDefinition`);if(r?.name===void 0)throw Error(`${e} has no operation with a name`);let[i=``]=/^(?:#.*\n)+/.exec(t)??[];return{name:r.name.value,description:i.replaceAll(/^# ?/gm,``).replaceAll("`",``).trim().replaceAll(`
`,` `),group:e.includes(`typed-forms`)?`Typed forms`:pt(r.operation,t),type:r.operation,query:t,variables:n}}function pt(e,t){return e===`mutation`?`Write`:e===`subscription`?`Live`:/@(?:defer|stream)\b/.test(t)?`Deferred`:/ {8}\w.*\{\n/.test(t)?`Nested`:`Read`}function mt(e,t){let n=t.toLowerCase().split(/\s+/);return e.filter(({name:e,group:t,description:r,query:i})=>{let a=`${e} ${t} ${r} ${i}`.toLowerCase();return n.every(e=>a.includes(e))})}var j=dt(Object.assign({"../../../01-inbox.graphql":Ce,"../../../02-document.graphql":we,"../../../02-document.json":Te,"../../../03-next-page.graphql":Ee,"../../../03-search.graphql":De,"../../../04-reference-data.graphql":Oe,"../../../05-people.graphql":ke,"../../../05-people.json":Ae,"../../../06-refetch.graphql":je,"../../../06-refetch.json":Me,"../../../07-large-page.graphql":Ne,"../../../08-typed-forms-labels.graphql":Pe,"../../../08-typed-forms-labels.json":Fe,"../../../08-typed-forms.graphql":Ie,"../../../09-typed-forms-create.graphql":Le,"../../../09-typed-forms-create.json":Re,"../../../10-create-document.graphql":ze,"../../../10-create-document.json":Be,"../../../11-respond-to-document.graphql":Ve,"../../../11-respond-to-document.json":He,"../../../12-move-document.graphql":Ue,"../../../12-move-document.json":We,"../../../13-upsert-organization.graphql":Ge,"../../../13-upsert-organization.json":Ke,"../../../14-delete-organization.graphql":qe,"../../../14-delete-organization.json":Je,"../../../15-upsert-list-value.graphql":Ye,"../../../15-upsert-list-value.json":Xe,"../../../16-update-person.graphql":Ze,"../../../16-update-person.json":Qe,"../../../17-upsert-org-unit.graphql":$e,"../../../17-upsert-org-unit.json":et,"../../../18-respond-to-documents.graphql":tt,"../../../18-respond-to-documents.json":nt,"../../../19-move-documents.graphql":rt,"../../../19-move-documents.json":it,"../../../20-document-changed.graphql":at,"../../../20-document-changed.json":ot,"../../../21-documents-changed.graphql":st,"../../../30-defer.graphql":ct,"../../../30-defer.json":lt})),M=`# Reads the inbox with one query.
# Press Ctrl+Enter to run it.
query Inbox {
  documents(view: INBOX, first: 5) {
    totalCount
    nodes {
      shortId
      author {
        ... on Person { fullName }
      }
      files { name url }
    }
  }
}
`,ht=`# This gateway executes only persisted documents (PERSISTED_ONLY=on).
# It rejects every query that is written here with FORBIDDEN, and so the query by which
# the playground reads the schema: there is no documentation and no completion.
#
# To explore the schema, start a gateway with PERSISTED_ONLY=off.
`,N=v({activeTab:``,byTab:{}}),gt={actor:null,document:null,traced:null,isTraced:!1,failure:null};function _t(e){N.set({...N.get(),activeTab:e})}function P(e,t){let{activeTab:n,byTab:r}=N.get(),{[e]:i,...a}=r,o=t===null?a:{...a,[e]:{...gt,...i,...t}};N.set({activeTab:n,byTab:o})}function vt(){N.set({...N.get(),byTab:{}})}function yt(){let{activeTab:e,byTab:t}=S(N);return t[e]}var bt=new Set([``,M,...j.map(({query:e})=>e)].map(xt));function xt(e){return e.trim()}function St(e){return bt.has(xt(e))}function F(){let{queryEditor:e,variableEditor:t,responseEditor:n}=m(e=>e),{addTab:r,stop:i,updateActiveTabValues:a,setOperationFacts:o}=f(),s=m(({tabs:e,activeTabIndex:t})=>e[t]?.id??``);return({query:c,variables:l})=>{i(),St(e?.getValue()??``)?P(s,null):r(),e?.setValue(c),t?.setValue(l),n?.setValue(``);let u=g(c),d=u.definitions.filter(e=>e.kind===`OperationDefinition`),f=d[0]?.name?.value??null;o({documentAST:u,operations:d,operationName:f}),a({query:c,variables:l,response:null,operationName:f}),e?.focus()}}var Ct={title:`Examples`,icon:()=>(0,T.jsx)(E,{name:`examples`}),content:wt};function wt(){let e=(0,w.useId)(),t=(0,w.useRef)(null);(0,w.useEffect)(()=>t.current?.focus(),[]);let[n,r]=(0,w.useState)(``),[i,a]=(0,w.useState)(0),o=F(),{setVisiblePlugin:s}=f(),c=mt(Tt(),n),l=e=>{o(e),xe()||s(null)},u=t=>{a(t),document.getElementById(`${e}-${t}`)?.scrollIntoView({block:`nearest`})};return(0,T.jsxs)(`section`,{className:`examples`,"aria-label":`Examples`,children:[(0,T.jsx)(`input`,{type:`search`,role:`combobox`,"aria-expanded":`true`,"aria-controls":e,"aria-activedescendant":c.length>0?`${e}-${i}`:void 0,"aria-label":`Search examples`,placeholder:`Search examples`,ref:t,value:n,onChange:({currentTarget:e})=>{r(e.value),a(0)},onKeyDown:e=>{let t={ArrowDown:(i+1)%c.length,ArrowUp:(i+c.length-1)%c.length}[e.key],n=c[i];if(t!==void 0&&c.length>0)u(t);else if(e.key===`Enter`&&!e.ctrlKey&&!e.metaKey&&n)l(n);else return;e.preventDefault()}}),(0,T.jsx)(`div`,{id:e,role:`listbox`,"aria-label":`Examples`,children:[...Map.groupBy(c,({group:e})=>e)].map(([t,n])=>(0,T.jsxs)(`div`,{role:`group`,"aria-labelledby":`${e}-${t}`,children:[(0,T.jsx)(`div`,{id:`${e}-${t}`,role:`presentation`,className:`example-group`,children:t}),n.map(t=>{let n=c.indexOf(t);return(0,T.jsxs)(`div`,{id:`${e}-${n}`,role:`option`,tabIndex:-1,className:`example`,"aria-selected":n===i,onClick:()=>l(t),children:[(0,T.jsx)(`strong`,{children:t.name}),t.type===`mutation`&&(0,T.jsx)(`span`,{className:`badge badge-paused`,children:`changes data`}),(0,T.jsx)(`span`,{className:`example-description`,children:t.description})]},t.name)})]},t))}),(0,T.jsx)(`p`,{role:`status`,className:`muted`,children:c.length===0&&`No example matches.`})]})}function Tt(){let e=O();return(0,w.useMemo)(()=>e===null?j:j.filter(({query:t})=>n(e,g(t)).length===0),[e])}var Et=`playground:history`,Dt=20,I=v(Ot());function Ot(){try{return JSON.parse(y(`localStorage`,Et)??`[]`)}catch{return[]}}function kt(e){Mt([e,...I.get().filter(t=>!jt(t,e))].slice(0,Dt))}function At(e){Mt(e?I.get().filter(t=>t!==e):[])}function jt(e,t){return e.query===t.query&&e.variables===t.variables}function Mt(e){I.set(e),x(`localStorage`,Et,JSON.stringify(e))}var Nt={subscribe(e){return queueMicrotask(()=>e.complete()),{unsubscribe(){}}}},L={key:``,result:Promise.resolve({}),endMs:-1/0},Pt=500,Ft=(e,t)=>{let n=Bt(e.query),r=Vt(e,n);if(!n||_(n,r.operationName)?.operation!==`mutation`)return It(r,n,t);let i=JSON.stringify([r,t?.headers,C.state.get().personId]);if(i===L.key&&performance.now()<L.endMs+Pt)return L.result;let a={key:i,result:It(r,n,t),endMs:1/0};return L=a,a.result.finally(()=>a.endMs=performance.now()),a.result};async function It(e,t,n){let r=Rt(e,t),i=new AbortController;try{let t=n?.headers,a=await R(e,{"x-upstream-trace":`1`,...t},i.signal);a.ok&&fe({...await oe(),...t});let o=a.headers.get(`content-type`)??``;if(o.startsWith(`text/event-stream`))return Ht(Ut(a,r.takeCalls),i,r.fail);if(!o.includes(`json`))return r.fail(`The response is not JSON (status ${a.status}).`);let s=await a.json();return r.isLeft()?Nt:r.takeCalls(s)}catch(e){return r.fail(zt(e))}}var Lt=0;function Rt(e,t){let n=N.get().activeTab,r=performance.now(),i=t&&_(t,e.operationName),{personId:a}=C.state.get();if(P(n,{document:t,isTraced:!1,failure:null}),i){let{query:t,variables:n}=e;kt({name:i.name?.value??``,query:t,variables:Object.keys(n??{}).length>0?JSON.stringify(n,null,2):``,atMs:Date.now(),personId:a})}let o=e=>({id:Lt+=1,name:i?.name?.value??``,kind:i?.operation??`query`,startMs:r,ms:performance.now()-r,calls:e});return{isLeft:()=>C.state.get().personId!==a,fail(e){return P(n,{traced:null,isTraced:!0,failure:e}),Nt},takeCalls(e){let{upstream:t,...r}=e.extensions??{},{extensions:i,...s}=e;if(t!==void 0||!(`hasNext`in e)){let e=t===void 0?null:o(t);P(n,{traced:e,isTraced:!0,actor:ce(a)})}return Object.keys(r).length===0?s:{...s,extensions:r}}}}async function R(e,t,n){let r=async()=>fetch(location.pathname,{method:`POST`,signal:n,headers:{"content-type":`application/json`,accept:`application/json, text/event-stream`,...await oe(),...t},body:JSON.stringify(e)}),i=await r();return i.status!==401||C.state.get().personId===null?i:(await C.renew(),r())}function zt(e){return e instanceof TypeError?`The gateway cannot be reached. Check that it is running, then try again.`:e instanceof Error?e.message:String(e)}function Bt(e){try{return g(e)}catch{return null}}function Vt(e,t){if(t===null||_(t,e.operationName))return e;let n=_(t);return n==null?e:{...e,operationName:n.name?.value??null}}function Ht(e,t,n){return{async next(){try{return await e.next()}catch{return t.signal.aborted||n(`The connection to the gateway was lost. Run the operation again.`),{done:!0,value:void 0}}},return(){return t.abort(),Promise.resolve({done:!0,value:void 0})},[Symbol.asyncIterator](){return this}}}async function*Ut(e,t){let n=e.body.pipeThrough(new TextDecoderStream).getReader(),r=``;for(;;){let{done:e,value:i}=await n.read();if(e)return;let a=(r+i).split(`

`);r=a.pop()??``;for(let e of a){if(e.startsWith(`event: complete`))return;let[,n]=/^event: next\ndata: (.*)$/s.exec(e)??[];n!==void 0&&(yield t(JSON.parse(n)))}}}var Wt={title:`History`,icon:()=>(0,T.jsx)(E,{name:`history`}),content:Gt};function Gt(){let e=S(I),t=F();return S(C.state),e.length===0?(0,T.jsx)(`p`,{className:`muted`,children:`Operations that you run appear here.`}):(0,T.jsxs)(`div`,{className:`history`,children:[(0,T.jsx)(`ul`,{children:e.map((e,n)=>{let r=e.name||e.query.trim();return(0,T.jsxs)(`li`,{children:[(0,T.jsxs)(`button`,{type:`button`,className:`history-operation`,title:e.query,onClick:()=>t(e),children:[(0,T.jsx)(`span`,{className:`clip`,children:r}),(0,T.jsx)(`span`,{className:`muted small`,children:qt(e)})]}),(0,T.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,"aria-label":`Remove ${r.slice(0,60)}`,onClick:()=>At(e),children:(0,T.jsx)(E,{name:`close`})})]},n)})}),(0,T.jsx)(`button`,{type:`button`,className:`button`,onClick:()=>At(),children:`Remove all`})]})}var Kt=new Intl.DateTimeFormat(`en`,{dateStyle:`medium`,timeStyle:`short`});function qt({atMs:e,personId:t=null}){return e===void 0?``:[Kt.format(e),ce(t)].filter(Boolean).join(` · `)}function Jt(e){let t=0,n=-1/0;return e.map(({startMs:e,ms:r})=>(e>=n&&([t,n]=[t+1,1/0]),n=Math.min(n,e+r),t))}function Yt(e){let t=new Map,n=0,r=-1/0;return e.toSorted((e,t)=>e.startMs-t.startMs).map(e=>{let{startMs:i,ms:a,source:o}=e,s=Xt(e),c=Zt(e),l=s?t.get(c):void 0;return l===void 0?i>=r&&([n,r]=[n+1,1/0]):[n,r]=[l,1/0],o!==`cache`&&(r=Math.min(r,i+a)),s?l===void 0&&t.set(c,n):t=new Map,{...e,round:n}})}function Xt({route:e}){return/^(?:GET|HEAD) /.test(e)}function Zt({route:e,path:t}){let n=e.split(`/`).findIndex(e=>e.startsWith(`{`)),[r=``]=t.split(`?`);return n>0&&r.split(`/`)[n]||t}function Qt(e){let t=t=>e.filter(e=>e.kind===t).length,n=e.filter(({kind:e})=>e!==`subscription`),r=(n.length>0?n:e).toSorted((e,t)=>e.startMs-t.startMs),i=Jt(r),a=new Set,o=0,s=new Set;for(let[e,t]of r.entries())for(let n of Yt(t.calls)){let t=`${n.route} ${n.path}`;a.has(t)||(Xt(n)?a.add(t):a=new Set,o+=1,s.add(`${i[e]} ${n.round}`))}return{query:t(`query`),mutation:t(`mutation`),subscription:t(`subscription`),file:t(`file`),rounds:i.at(-1)??0,calls:o,callRounds:s.size}}function $t({operation:e,name:t,personId:n,texts:{t:r}}){return(0,T.jsx)(`a`,{className:`inspect-link`,href:`/graphql${se(e,n)}`,target:`_blank`,rel:`noreferrer`,"aria-label":r(`Inspect {name} in the playground`,{name:t}),title:r(`Open in the playground`),children:r(`Inspect`)})}var en={query:`queries`,mutation:`mutations`,subscription:`subscriptions`,file:`files`,round:`rounds`,"REST call":`REST calls`};function z({t:e,language:t},n,r){return`${new Intl.NumberFormat(t).format(r)} ${e(r===1?n:en[n])}`}function tn(e,t,{calls:n,callRounds:r,rounds:i}){let{t:a}=e;return n===0?a(`{subject} needs no REST call.`,{subject:t}):a(`{subject} needs {calls} {inRounds}; the gateway made {rounds}.`,{subject:t,calls:z(e,`REST call`,n),inRounds:r===1?a(`in one round`):`in ${z(e,`round`,r)}`,rounds:i===1?a(`one round`):z(e,`round`,i)})}function nn(e){return(0,T.jsxs)(`div`,{className:`rest-calls`,children:[(0,T.jsx)(on,{...e}),(0,T.jsx)(sn,{...e})]})}var rn=[20,80,200],an=`rest-calls.latency`;function on({operations:e,subject:t,texts:n}){let{t:r,language:i}=n,a=(0,w.useId)(),[o,s]=(0,w.useState)(()=>rn.find(e=>`${e}`===y(`localStorage`,an))??80),c=e=>{s(e),x(`localStorage`,an,`${e}`)},l=Qt(e),u=tn(n,r(t),l);if(l.calls===0)return(0,T.jsx)(`p`,{className:`rest-calls-argument`,children:u});let d=[`query`,`mutation`,`subscription`,`file`].filter(e=>l[e]>0).map(e=>z(n,e,l[e])),f=[{tone:`gateway`,name:r(`With the gateway`),requests:d.join(`, `),rounds:l.rounds},{tone:`direct`,name:r(`Without it`),requests:z(n,`REST call`,l.calls),rounds:l.callRounds}],p=Math.max(l.rounds,l.callRounds,1);return(0,T.jsxs)(`section`,{className:`rest-calls-cost`,"aria-label":r(`Cost of this screen`),children:[(0,T.jsx)(`p`,{className:`rest-calls-argument`,children:u}),(0,T.jsxs)(`table`,{children:[(0,T.jsx)(`thead`,{className:`visually-hidden`,children:(0,T.jsx)(`tr`,{children:[`Cost of this screen`,`Requests`,`Rounds`,`Waiting`].map(e=>(0,T.jsx)(`th`,{scope:`col`,children:r(e)},e))})}),(0,T.jsx)(`tbody`,{children:f.map(({tone:e,name:t,requests:r,rounds:a})=>(0,T.jsxs)(`tr`,{children:[(0,T.jsx)(`th`,{scope:`row`,children:t}),(0,T.jsx)(`td`,{children:r}),(0,T.jsx)(`td`,{children:z(n,`round`,a)}),(0,T.jsxs)(`td`,{className:`rest-calls-waiting`,children:[(0,T.jsx)(`strong`,{children:B(a*o,i)}),(0,T.jsx)(`span`,{className:`rest-calls-scale`,children:(0,T.jsx)(`span`,{className:`rest-calls-bar rest-calls-${e}`,style:{width:`${a/p*100}%`}})})]})]},e))})]}),(0,T.jsxs)(`div`,{className:`row`,children:[(0,T.jsxs)(`fieldset`,{className:`segments`,children:[(0,T.jsx)(`legend`,{children:r(`Network latency`)}),rn.map(e=>(0,T.jsxs)(`label`,{children:[(0,T.jsx)(`input`,{type:`radio`,name:a,checked:e===o,onChange:()=>c(e)}),(0,T.jsx)(`span`,{children:B(e,i)})]},e))]}),(0,T.jsxs)(`details`,{className:`rest-calls-help muted small`,children:[(0,T.jsx)(`summary`,{className:`button button-icon`,"aria-label":r(`How this is counted`),title:r(`How this is counted`),children:`?`}),(0,T.jsx)(`p`,{children:r(`Without the gateway, a front end sends each distinct REST call itself, and waits once per round: a call of the next round needs the answer of an earlier one. Waiting is rounds × latency, without the time of the DMS.`)})]})]})]})}function sn({operations:e,personId:t,texts:n}){let{t:r}=n;return(0,T.jsxs)(`table`,{className:`rest-calls-table`,children:[(0,T.jsx)(`caption`,{className:`visually-hidden`,children:r(`REST calls`)}),(0,T.jsx)(`thead`,{children:(0,T.jsxs)(`tr`,{children:[[`Call`,`Round`,`Source`,`Status`,`Start`,`Duration`].map(e=>(0,T.jsx)(`th`,{scope:`col`,className:[`Call`,`Source`].includes(e)?void 0:`number`,children:r(e)},e)),(0,T.jsx)(`td`,{"aria-hidden":`true`})]})}),e.map(e=>(0,T.jsx)(ln,{traced:e,personId:t,texts:n},e.id))]})}var cn={dms:`sent`,shared:`shared`,cache:`cached`};function ln({traced:e,personId:t,texts:n}){let{t:r,language:i}=n,{name:a,kind:o,ms:s,operation:c}=e,l=Yt(e.calls),u=Math.max(...l.map(e=>e.startMs+e.ms),1);return(0,T.jsxs)(`tbody`,{children:[(0,T.jsx)(`tr`,{className:`rest-calls-operation`,children:(0,T.jsxs)(`th`,{scope:`rowgroup`,colSpan:7,children:[(0,T.jsxs)(`span`,{children:[(0,T.jsx)(`span`,{className:`muted`,children:r(o)}),` `,a,` `,(0,T.jsx)(`span`,{className:`muted`,children:[[`dms`,`shared`,`cache`].map(e=>[l.filter(t=>t.source===e).length,r(cn[e])]).filter(([e])=>e>0).map(([e,t])=>`${e} ${t}`).join(`, `)||r(`No REST call`),B(s,i)].join(` · `)})]}),c&&(0,T.jsx)($t,{operation:c,name:a,personId:t,texts:n})]})}),l.map((e,t)=>(0,T.jsx)(un,{call:e,totalMs:u,texts:n},t))]})}function un({call:e,totalMs:t,texts:n}){let{t:r,language:i}=n,{route:a,path:o,fields:s,embed:c,source:l,status:u,startMs:d,ms:f,attempt:p,round:ee}=e,m=e=>`${e/t*100}%`;return(0,T.jsxs)(`tr`,{children:[(0,T.jsxs)(`th`,{scope:`row`,children:[(0,T.jsxs)(`code`,{children:[a.split(` `)[0],` `,o]}),p>1&&` (${r(`attempt`)} ${p})`,(0,T.jsx)(dn,{name:`fields`,values:s}),(0,T.jsx)(dn,{name:`embed`,values:c})]}),(0,T.jsx)(`td`,{className:`number`,children:ee}),(0,T.jsx)(`td`,{children:(0,T.jsx)(`span`,{className:`badge rest-calls-${l}`,children:r(cn[l])})}),(0,T.jsx)(`td`,{className:`number`,children:u??`–`}),(0,T.jsx)(`td`,{className:`number`,children:B(d,i)}),(0,T.jsx)(`td`,{className:`number`,children:B(f,i)}),(0,T.jsx)(`td`,{"aria-hidden":`true`,children:(0,T.jsx)(`span`,{className:`rest-calls-bar rest-calls-${l}`,style:{marginInlineStart:m(d),width:m(f)}})})]})}function dn({name:e,values:t}){return t?(0,T.jsxs)(`code`,{className:`muted`,children:[e,`=`,t.map((e,n)=>(0,T.jsxs)(w.Fragment,{children:[e,n<t.length-1&&`,`,(0,T.jsx)(`wbr`,{})]},e))]}):null}function B(e,t){return`${new Intl.NumberFormat(t,{maximumFractionDigits:+(e<10)}).format(e)} ms`}function fn(e,t={}){return e.replaceAll(/\{(\w+)\}/g,(e,n)=>`${t[n]}`)}function pn({keys:e}){return(0,T.jsx)(`dl`,{className:`key-list`,children:e.map(([e,t])=>(0,T.jsxs)(`div`,{children:[(0,T.jsx)(`dt`,{children:e.map(e=>(0,T.jsx)(`kbd`,{children:e},e))}),(0,T.jsx)(`dd`,{children:t})]},t))})}var mn=[[[c?`⌘`:`Ctrl`,`Enter`],`run the operation`],[[`Ctrl`,`Space`],`list the fields that fit`],[[`Shift`,`Ctrl`,`P`],`format the operation`]];function hn(){return(0,T.jsx)(pn,{keys:mn})}var V=v({});function gn(){let e=m(({tabs:e,activeTabIndex:t})=>e[t]?.id??``),{setOperationName:t}=f();return n=>{V.set({...V.get(),[e]:n}),t(n)}}function _n(e){let{tabs:t,activeTabIndex:n,operations:r,operationName:i}=m(e=>e),{setOperationName:a}=f(),o=t[n]?.id??``,[s]=(0,w.useState)(()=>new Map([...t.map(e=>[e.id,e.operationName]),[o,e]])),c=S(V)[o]??s.get(o),l=r?.some(({name:e})=>e?.value===c)??!1;(0,w.useEffect)(()=>{c&&l&&i!==c&&a(c)},[c,l,i,a])}var H=v(!1);function vn(){return m(({queryEditor:e,responseEditor:t})=>!!(e&&t))}function U(){let e=vn(),{run:t}=f();return()=>e?t():H.set(!0)}function yn(){let e=vn(),t=S(H),n=U(),{queryEditor:r,operations:i=[]}=m(e=>e),{prettifyEditors:a}=f(),o=gn();(0,w.useEffect)(()=>{e&&t&&(H.set(!1),n())},[e,t,n]),(0,w.useEffect)(()=>{let e=e=>{if(!(e.ctrlKey||e.metaKey))return;let t=e.shiftKey&&(e.key===`P`||le(e)===`p`);if(e.key!==`Enter`&&!t)return;if(e.preventDefault(),e.stopPropagation(),t)return void a();let s=r?.hasTextFocus()?r.getPosition():null,c=s&&r?.getModel()?.getOffsetAt(s),l=i.find(({loc:e})=>e&&c!=null&&e.start<=c&&c<=e.end);l?.name&&i.length>1&&o(l.name.value),n()};return document.addEventListener(`keydown`,e,{capture:!0}),()=>document.removeEventListener(`keydown`,e,{capture:!0})},[n,r,i,o,a])}var[bn,xn]=[15,85];function W(e,t){let{storage:n}=m(e=>e),[r,i]=(0,w.useState)(()=>Number(n.get(e))||t);return{percent:r,style:{"--first":`${r}fr`,"--second":`${100-r}fr`},set(t){let r=Math.round(Math.min(xn,Math.max(bn,t)));i(r),n.set(e,`${r}`)},reset(){i(t),n.set(e,``)}}}function G({label:e,orientation:t,split:n}){let r=t===`vertical`;return(0,T.jsx)(`div`,{className:`splitter splitter-${t}`,role:`separator`,tabIndex:0,"aria-label":e,"aria-orientation":t,"aria-valuenow":n.percent,"aria-valuemin":bn,"aria-valuemax":xn,onPointerDown:({currentTarget:e,pointerId:t})=>e.setPointerCapture(t),onPointerMove:({currentTarget:e,clientX:t,clientY:i,pointerId:a})=>{if(!e.hasPointerCapture(a))return;let o=e.previousElementSibling.getBoundingClientRect(),s=e.nextElementSibling.getBoundingClientRect(),c=r?(t-o.left)/(s.right-o.left):(i-o.top)/(s.bottom-o.top);n.set(100*c)},onKeyDown:e=>{let t={ArrowLeft:-2,ArrowUp:-2,ArrowRight:2,ArrowDown:2}[e.key];t!==void 0&&(e.preventDefault(),n.set(n.percent+t))},onDoubleClick:n.reset})}function Sn({errors:e}){let t=m(e=>e.queryEditor),n=(e,n)=>{t?.setPosition({lineNumber:e,column:n}),t?.revealLineInCenter(e),t?.focus()};return(0,T.jsx)(`div`,{className:`result-errors`,role:`alert`,children:(0,T.jsx)(`ul`,{"aria-label":`Errors`,children:e.map(({message:e,path:t,locations:[r]=[]},i)=>(0,T.jsxs)(`li`,{className:`notice notice-error`,children:[(0,T.jsxs)(`span`,{children:[e,t&&(0,T.jsxs)(`code`,{children:[` `,t.join(`.`)]})]}),r&&(0,T.jsxs)(`button`,{type:`button`,className:`button`,"aria-label":`Line ${r.line}, column ${r.column}`,onClick:()=>n(r.line,r.column),children:[`Line `,r.line]})]},i))})})}function Cn({table:e}){let{name:t,columns:n,rows:r}=e;return(0,T.jsxs)(`table`,{className:`result-table`,children:[(0,T.jsxs)(`caption`,{children:[t,`: `,r.length]}),(0,T.jsx)(`thead`,{children:(0,T.jsx)(`tr`,{children:n.map(e=>(0,T.jsx)(`th`,{scope:`col`,children:e},e))})}),(0,T.jsx)(`tbody`,{children:r.map((e,t)=>(0,T.jsx)(`tr`,{children:n.map(t=>(0,T.jsx)(`td`,{children:(0,T.jsx)(`div`,{className:`result-cell`,children:e.get(t)?.map(({text:e,href:t},n)=>(0,T.jsx)(`span`,{className:`result-part`,children:t===void 0?e:(0,T.jsx)(`a`,{href:t,target:`_blank`,rel:`noreferrer`,children:e})},n))})},t))},t))})]})}var wn=new Set([`shortId`,`fullId`,`id`]);function Tn(e,t,n,r){let i=t.definitions.find(e=>e.kind===`OperationDefinition`);if(i===void 0)return[];let a=n?.getRootType(i.operation)??null;return new En(t,n,r).tables(e,{sets:[i.selectionSet],type:a},[])}var En=class{#e;#t;#n;constructor(e,t,n){let r=e.definitions.filter(e=>e.kind===`FragmentDefinition`);this.#e=new Map(r.map(e=>[e.name.value,e])),this.#t=t,this.#n=n}tables(e,t,n){if(!K(e))return[];let r=this.#s(t);return Object.entries(e).flatMap(([e,t])=>{let i=r.get(e)?.below??{sets:[],type:null};if(!Array.isArray(t))return this.tables(t,i,[...n,e]);let a=t.filter(K);return a.length===0?[]:[this.#r([...n,e].join(` `),a,i)]})}#r(e,t,n){let r=t.map(e=>new Map(this.#i(e,n,[])));return{name:e,columns:[...new Set(r.flatMap(e=>[...e.keys()]))],rows:r}}#i(e,t,n){let r=this.#s(t),i=!1;return Object.entries(e).flatMap(([e,a])=>{let{name:o,below:s}=r.get(e)??{name:e,below:{sets:[],type:null}};if(K(a))return this.#i(a,s,[...n,e]);if(a===null&&s.sets.length>0)return[];let c=!i&&t.type?.name===`Document`&&wn.has(o);i||=c;let l=c?[this.#a(On(a))]:this.#o(a,s);return[[[...n,e].join(` `),l]]})}#a(e){return this.#n===null?{text:e}:{text:e,href:this.#n(e)}}#o(e,t){if(Array.isArray(e))return e.flatMap(e=>this.#o(e,t));if(e==null)return[];if(!K(e)){let n=On(e);return[t.type?.name===`URL`?{text:n,href:n}:{text:n}]}let n=this.#i(e,t,[]).flatMap(([,e])=>e),r=n.find(e=>e.href!==void 0)?.href;return[{text:n.filter(({text:e})=>e!==r).map(({text:e})=>e).join(` `)||(r??``),...r!==void 0&&{href:r}}]}#s({sets:e,type:t}){let n=new Map,r=(e,t)=>{let r=(e.alias??e.name).value,i=n.get(r)?.below.sets??[],a=t!==null&&`getFields`in t?t.getFields()[e.name.value]:void 0,o={sets:e.selectionSet===void 0?i:[...i,e.selectionSet],type:a===void 0?null:Dn(a.type)};n.set(r,{name:e.name.value,below:o})},i=(e,t)=>{for(let n of e.selections)if(n.kind===`Field`)r(n,t);else{let e=n.kind===`InlineFragment`?n:this.#e.get(n.name.value),r=e?.typeCondition?.name.value,a=r===void 0?t:this.#t?.getType(r);e!==void 0&&i(e.selectionSet,a??null)}};for(let n of e)i(n,t);return n}};function Dn(e){return`ofType`in e?Dn(e.ofType):e}function On(e){return typeof e==`string`?e:JSON.stringify(e)}function K(e){return typeof e==`object`&&!!e&&!Array.isArray(e)}function kn(){let e=yt(),t=jn(),n=Mn(e,t),[r,i]=(0,w.useState)(!1),[a,o]=(0,w.useState)(!0),s=W(`playground:calls`,42),c=r&&n.length>0,l=e?.traced==null?`none`:a?`open`:`closed`;return(0,T.jsxs)(`section`,{className:`result-pane`,"aria-label":`Result`,children:[(0,T.jsxs)(`div`,{className:`bar`,children:[(0,T.jsx)(`h2`,{children:`Result`}),n.length>0&&(0,T.jsx)(Nn,{showsTable:c,onChange:i})]}),(0,T.jsxs)(`div`,{className:`result-parts`,"data-calls":l,style:s.style,children:[(0,T.jsx)(An,{isEmpty:e===void 0&&t===null,errors:e?.failure?[{message:e.failure}]:t?.errors??[],tables:c?n:null}),(0,T.jsx)(G,{label:`Height of the result`,orientation:`horizontal`,split:s}),e?.traced&&(0,T.jsx)(In,{run:e,isOpen:a,onToggle:o})]})]})}function An({isEmpty:e,errors:t,tables:n}){let r=l(({monaco:e})=>e!==void 0);return(0,T.jsxs)(`div`,{className:`result`,children:[(0,T.jsx)(Sn,{errors:t}),(0,T.jsx)(`div`,{className:`editor`,hidden:n!==null,children:r&&(0,T.jsx)(a,{tabIndex:-1})}),n&&(0,T.jsx)(`div`,{className:`result-tables`,tabIndex:0,role:`region`,"aria-label":`Tables`,children:n.map(e=>(0,T.jsx)(Cn,{table:e},e.name))}),e&&(0,T.jsx)(Pn,{})]})}function jn(){let e=m(({tabs:e,activeTabIndex:t})=>e[t]?.response);return(0,w.useMemo)(()=>e?JSON.parse(e):null,[e])}function Mn(e,t){let n=O(),r=e?.document;return(0,w.useMemo)(()=>!t||!r?[]:Tn(t.data,r,n,b.hasInbox?e=>`app/documents/${encodeURIComponent(e)}`:null),[t,r,n])}function Nn({showsTable:e,onChange:t}){let n=(0,w.useId)();return(0,T.jsxs)(`fieldset`,{className:`segments`,children:[(0,T.jsx)(`legend`,{className:`visually-hidden`,children:`Show as`}),[`JSON`,`Table`].map(r=>(0,T.jsxs)(`label`,{children:[(0,T.jsx)(`input`,{type:`radio`,name:n,checked:e===(r===`Table`),onChange:()=>t(r===`Table`)}),(0,T.jsx)(`span`,{children:r})]},r))]})}function Pn(){let e=m(({tabs:e,activeTabIndex:t})=>e[t]?.query),t=F(),n=U();if(b.persistedOnly)return null;let r=e?.trim()===M.trim();return(0,T.jsxs)(`section`,{className:`start`,"aria-labelledby":`start`,children:[(0,T.jsx)(`h2`,{id:`start`,children:`The result appears here`}),r&&(0,T.jsxs)(T.Fragment,{children:[(0,T.jsx)(`p`,{className:`muted`,children:`The first example reads the inbox with one request.`}),(0,T.jsxs)(`button`,{type:`button`,className:`button button-primary`,onClick:()=>{t({query:`# Reads the inbox with one query.
# Press Ctrl+Enter to run it.
query Inbox {
  documents(view: INBOX, first: 5) {
    totalCount
    nodes {
      shortId
      author {
        ... on Person { fullName }
      }
      files { name url }
    }
  }
}
`,variables:``}),n()},children:[(0,T.jsx)(E,{name:`play`}),`Run the first example`]})]}),(0,T.jsx)(hn,{})]})}var Fn={t:(e,...[t])=>fn(e,t),language:`en`};function In({run:e,isOpen:t,onToggle:n}){let{actor:r,traced:i,isTraced:a}=e;return i===null?null:(0,T.jsxs)(`section`,{className:`calls`,"aria-labelledby":`calls`,"aria-busy":!a,children:[(0,T.jsx)(`h2`,{children:(0,T.jsxs)(`button`,{type:`button`,"aria-expanded":t,"aria-controls":`calls-body`,onClick:()=>n(!t),children:[(0,T.jsx)(E,{name:`next`}),(0,T.jsx)(`span`,{id:`calls`,children:Ln(i.calls,r)})]})}),(0,T.jsx)(`div`,{id:`calls-body`,className:`calls-body`,hidden:!t,tabIndex:0,role:`group`,"aria-labelledby":`calls`,children:(0,T.jsx)(nn,{operations:[i],subject:`This operation`,personId:null,texts:Fn})})]})}function Ln(e,t){let n=t=>e.filter(e=>e.source===t).length,r=Math.max(0,...e.map(({startMs:e,ms:t})=>e+t));return[`REST calls: ${n(`dms`)}`,...n(`cache`)>0?[`${n(`cache`)} cached`]:[],...n(`shared`)>0?[`${n(`shared`)} shared`]:[],...e.length>0?[`${r.toFixed(+(r<10))} ms`]:[],...t===null?[]:[`as ${t}`]].join(`, `)}var q=`graphiql:tabState`;y(`sessionStorage`,q)===null&&x(`sessionStorage`,q,y(`localStorage`,q));var J={length:0,key:()=>null,clear(){},getItem:e=>y(e===q?`sessionStorage`:`localStorage`,e),setItem(e,t){e===q&&x(`sessionStorage`,e,t),x(`localStorage`,e,t)},removeItem(e){x(`localStorage`,e,null)}};function Rn(){let e=new URLSearchParams(location.search),t=e.get(`query`),n=e.get(`variables`)??``;return t===null?zn():(history.replaceState(history.state,``,location.pathname),{query:t,variables:n,headers:``,operationName:e.get(`operationName`)})}function zn(){try{let{tabs:e,activeTabIndex:t}=JSON.parse(J.getItem(q)??``),{query:n,variables:r,headers:i,operationName:a}=e[t];return{query:n??``,variables:r??``,headers:i??``,operationName:a}}catch{return null}}function Bn(){let e=Gn(),t=e!==null&&e!==`outdated`&&`error`in e;return(0,T.jsx)(`output`,{className:t?`cost cost-error`:`cost`,"aria-busy":e===`outdated`,children:Vn(e)})}function Vn(e){if(e===null)return``;if(e===`outdated`)return`Cost: …`;if(`error`in e)return e.error;let{atLeast:t,upstreamCalls:n}=e;return`Cost: ${t===n?`${t}`:`${t} to ${n}`} REST ${n===1?`call`:`calls`}`}var Hn=400,Un={"x-cost-only":`1`},Wn=new Set([`BAD_USER_INPUT`,`UPSTREAM_BUDGET_EXCEEDED`]);function Gn(){let e=m(({tabs:e,activeTabIndex:t})=>e[t]),t=m(({documentAST:e})=>e),{query:n,variables:r,headers:i,operationName:a}=e??{},o=JSON.stringify([n,r,i,a]),[s,c]=(0,w.useState)({operation:o,cost:null});return(0,w.useEffect)(()=>{let e=new AbortController,s=e=>c({operation:o,cost:e}),l=async()=>{let o=n&&t&&Kn(t,a);s(o?await qn({query:n,variables:r,headers:i,operationName:a??null},e.signal):null)},u=setTimeout(()=>{l().catch(()=>{e.signal.aborted||s(null)})},Hn);return()=>{clearTimeout(u),e.abort()}},[n,r,i,a,t,o]),s.cost!==null&&s.operation!==o?`outdated`:s.cost}function Kn(e,t){if(!b.introspection||b.persistedOnly)return!1;let n=_(e,t);return n!=null&&n.operation!==`mutation`}async function qn({query:e,operationName:t,variables:n,headers:r},i){let a=Yn(r);if(!await Jn(a))return null;let{errors:[o]=[],extensions:s}=await(await R({query:e,operationName:t,variables:Yn(n)},{...a,...Un},i)).json();return s?.cost===void 0?o!==void 0&&Wn.has(o.extensions?.code??``)?{error:o.message}:null:s.cost}var Y=null;function Jn(e){return Y??=(async()=>{let{extensions:t}=await(await R({query:`{ __typename }`},{...e,...Un},AbortSignal.timeout(1e4))).json();return t?.cost===void 0&&(Y=null),t?.cost!==void 0})(),Y}function Yn(e){return e?JSON.parse(e):{}}function Xn(){let{prettifyEditors:e,mergeQuery:t,copyQuery:n}=f(),r=l(({monaco:e})=>e!==void 0),i=W(`playground:variables`,70),a=Zn();return(0,T.jsxs)(`section`,{className:`editor-pane`,"aria-label":`Operation`,children:[(0,T.jsxs)(`div`,{className:`bar`,children:[(0,T.jsx)(er,{}),(0,T.jsx)(Bn,{}),(0,T.jsxs)(`div`,{className:`bar-tools`,children:[(0,T.jsx)(X,{label:`Format`,icon:`prettify`,onClick:()=>void e()}),(0,T.jsx)(X,{label:`Merge fragments`,icon:`merge`,onClick:t}),(0,T.jsx)(X,{label:`Copy`,icon:`copy`,onClick:()=>void n()}),(0,T.jsx)($n,{})]})]}),(0,T.jsxs)(`div`,{className:`editors`,"data-inputs":a.shown??`none`,style:i.style,children:[(0,T.jsx)(`div`,{className:`editor`,children:r&&(0,T.jsx)(d,{tabIndex:-1})}),(0,T.jsx)(G,{label:`Height of the operation`,orientation:`horizontal`,split:i}),(0,T.jsxs)(`div`,{className:`inputs`,children:[(0,T.jsxs)(`div`,{className:`inputs-head`,children:[[`variables`,`headers`].map(e=>(0,T.jsxs)(`button`,{type:`button`,"aria-expanded":a.shown===e,"aria-controls":`input-${e}`,onClick:()=>a.toggle(e),children:[(0,T.jsx)(E,{name:`next`}),e===`variables`?`Variables`:`Headers`]},e)),a.shown===`headers`&&(0,T.jsx)(Qn,{})]}),(0,T.jsx)(`div`,{id:`input-variables`,className:`editor`,hidden:a.shown!==`variables`,children:r&&(0,T.jsx)(h,{tabIndex:-1})}),(0,T.jsx)(`div`,{id:`input-headers`,className:`editor`,hidden:a.shown!==`headers`,children:r&&(0,T.jsx)(re,{tabIndex:-1})})]})]})]})}function Zn(){let[e,t]=(0,w.useState)(),n=m(({tabs:e,activeTabIndex:t})=>e[t]),r=n.variables?`variables`:n.headers?`headers`:null,i=`${n.id} ${n.title}`,a=e?.tab===i?e.input:r;return{shown:a,toggle:e=>t({tab:i,input:a===e?null:e})}}function Qn(){let e=m(e=>e.shouldPersistHeaders),{setShouldPersistHeaders:t}=f();return(0,T.jsxs)(`label`,{className:`keep-headers`,children:[(0,T.jsx)(`input`,{type:`checkbox`,checked:e,onChange:({currentTarget:e})=>t(e.checked)}),`Keep in this browser`]})}function X({label:e,icon:t,onClick:n}){return(0,T.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,title:e,"aria-label":e,onClick:n,children:(0,T.jsx)(E,{name:t})})}function $n(){let{queryEditor:e,variableEditor:t,operations:n=[],operationName:r}=m(e=>e),{personId:i}=S(C.state),a=m(({tabs:e,activeTabIndex:t})=>e[t]),o=JSON.stringify([a?.hash,r,i]),[s,c]=(0,w.useState)(``),l=async()=>{let a=e?.getValue()??``,s=n.length>1?r:null,l={query:a,variables:t?.getValue(),operationName:s},u=`${location.origin}${location.pathname}${se(l,i)}`;try{await navigator.clipboard.writeText(u),c(o)}catch{window.prompt(`Copy this link:`,u)}},u=s===o;return(0,T.jsxs)(T.Fragment,{children:[(0,T.jsx)(X,{label:`Copy link`,icon:u?`check`:`link`,onClick:()=>void l()}),(0,T.jsx)(`span`,{role:`status`,className:`visually-hidden`,children:u&&`The link is copied.`})]})}function er(){let{operations:e=[],operationName:t,isFetching:n,subscription:r}=m(e=>e),i=U(),a=gn(),{stop:o}=f(),s=n||r!==null,c=e.find(({name:e})=>e?.value===t)??e[0],l=n&&c?.operation===`mutation`,u=e.flatMap(({name:e})=>e?.value??[]);return(0,T.jsxs)(T.Fragment,{children:[(0,T.jsxs)(`button`,{type:`button`,className:`button button-primary`,"aria-disabled":l,onClick:({detail:e})=>{e<2&&!l&&(s?o:i)()},children:[(0,T.jsx)(E,{name:s&&!l?`stop`:`play`}),s&&!l?`Stop`:`Run`]}),u.length>1&&(0,T.jsx)(`select`,{"aria-label":`Operation to run`,value:t??u[0],onChange:({currentTarget:e})=>a(e.value),children:u.map(e=>(0,T.jsx)(`option`,{children:e},e))})]})}ue.setTabFocusMode(!0);var Z=matchMedia(`(prefers-color-scheme: dark)`);function tr(){let e=l(e=>e.monaco),{queryEditor:t,variableEditor:n,headerEditor:r,responseEditor:i}=m(e=>e),a=Se();(0,w.useEffect)(()=>{if(e===void 0)return;let t=()=>{e.editor.defineTheme(`playground`,nr()),e.editor.setTheme(`playground`)};return t(),Z.addEventListener(`change`,t),()=>Z.removeEventListener(`change`,t)},[e]),(0,w.useEffect)(()=>{let e={Operation:t,Variables:n,Headers:r,Result:i};for(let[t,n]of Object.entries(e))n?.updateOptions({ariaLabel:t,tabIndex:0,fontFamily:getComputedStyle(document.body).getPropertyValue(`--font-mono`),fontSize:13,lineHeight:20,padding:{top:8,bottom:8},...a?{lineNumbers:`off`,folding:!1,glyphMargin:!1,lineDecorationsWidth:8}:{lineNumbers:t===`Result`?`off`:`on`,folding:!0,lineNumbersMinChars:3,lineDecorationsWidth:10}})},[t,n,r,i,a]),(0,w.useEffect)(()=>{document.activeElement===document.body&&matchMedia(`(pointer: fine)`).matches&&t?.focus()},[t])}function Q(e){let t=document.body.appendChild(document.createElement(`i`));t.style.color=`var(--${e})`;let n=getComputedStyle(t).color.match(/\d+/g)??[];return t.remove(),n.map(e=>Number(e).toString(16).padStart(2,`0`)).join(``)}function nr(){let e=e=>`#${Q(e)}`,t=Object.fromEntries([1,2,3,4,5,6].map(t=>[`editorBracketHighlight.foreground${t}`,e(`text`)]));return{base:Z.matches?`vs-dark`:`vs`,inherit:!1,rules:[{token:``,foreground:Q(`text`)},{token:`comment`,foreground:Q(`text-muted`)},{token:`keyword`,foreground:Q(`accent`)},{token:`type`,foreground:Q(`accent`)},{token:`string`,foreground:Q(`success`)},{token:`string.key.json`,foreground:Q(`accent`)},{token:`number`,foreground:Q(`warning`)},{token:`annotation`,foreground:Q(`danger`)},{token:`argument.identifier`,foreground:Q(`warning`)},{token:`key.identifier`,foreground:Q(`text`)}],colors:{"editor.background":e(`surface`),"editor.foreground":e(`text`),"editorLineNumber.foreground":e(`text-muted`),"editorLineNumber.dimmedForeground":e(`text-muted`),"editorLineNumber.activeForeground":e(`text`),"editorBracketHighlight.unexpectedBracket.foreground":e(`danger`),"editorCursor.foreground":e(`accent`),"editor.selectionBackground":e(`accent-soft`),"editor.inactiveSelectionBackground":e(`surface-hover`),"editorWidget.background":e(`surface`),"editorWidget.border":e(`border-strong`),"editorSuggestWidget.foreground":e(`text`),"editorSuggestWidget.selectedBackground":e(`accent-soft`),"editorSuggestWidget.selectedForeground":e(`accent-soft-text`),"editorSuggestWidget.highlightForeground":e(`accent`),"editorSuggestWidget.focusHighlightForeground":e(`accent`),"editorHoverWidget.background":e(`surface`),"editorHoverWidget.border":e(`border-strong`),"editorLink.activeForeground":e(`accent`),"textLink.foreground":e(`accent`),"list.hoverBackground":e(`surface-hover`),...t,focusBorder:e(`accent`),"input.background":e(`surface`),"input.border":e(`border-strong`)}}}function rr(){let{plugins:e,visiblePlugin:t}=m(e=>e),{setVisiblePlugin:n}=f();return(0,T.jsxs)(`nav`,{className:`rail`,"aria-label":`Panes`,children:[e.map(e=>{let r=e===t;return(0,T.jsxs)(`button`,{type:`button`,"aria-expanded":r,"aria-controls":r?`pane`:void 0,onClick:()=>n(r?null:e),children:[(0,T.jsx)(e.icon,{}),e.title]},e.title)}),(0,T.jsxs)(`button`,{type:`button`,popoverTarget:`keys`,children:[(0,T.jsx)(E,{name:`keyboard`}),`Keys`]}),(0,T.jsx)(`div`,{id:`keys`,className:`popup`,popover:`auto`,role:`dialog`,"aria-label":`Keys`,children:(0,T.jsx)(hn,{})})]})}function ir(){let e=m(({visiblePlugin:e})=>e),{setVisiblePlugin:t}=f();return(0,w.useEffect)(()=>{xe()||t(null)},[t]),e===null?null:(0,T.jsxs)(`aside`,{id:`pane`,className:`pane`,"aria-label":e.title,children:[(0,T.jsxs)(`div`,{className:`pane-head`,children:[(0,T.jsx)(`h2`,{children:e.title}),(0,T.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,"aria-label":`Close ${e.title}`,onClick:()=>t(null),children:(0,T.jsx)(E,{name:`close`})})]}),(0,T.jsx)(`div`,{className:`pane-body`,children:(0,T.jsx)(e.content,{})})]})}function ar(){let{tabs:e,activeTabIndex:t}=m(e=>e),n=m(e=>e.queryEditor),{addTab:r,changeTab:i,closeTab:a}=f(),o=e=>{e(),n?.focus()};return(0,T.jsxs)(`div`,{className:`tabs`,children:[(0,T.jsx)(`ul`,{children:e.map(({id:n,title:r},s)=>(0,T.jsxs)(`li`,{"data-active":s===t,children:[(0,T.jsx)(`button`,{type:`button`,className:`tab`,"aria-current":s===t?`true`:void 0,onClick:()=>i(s),children:r}),e.length>1&&(0,T.jsx)(`button`,{type:`button`,className:`tab-close`,"aria-label":`Close ${r}`,onClick:()=>o(()=>a(s)),children:(0,T.jsx)(E,{name:`close`})})]},n))}),(0,T.jsx)(`button`,{type:`button`,className:`tab-add`,"aria-label":`New tab`,onClick:()=>o(r),children:(0,T.jsx)(E,{name:`plus`})})]})}var or=[_e,...b.persistedOnly?[]:[Ct],Wt],sr=b.persistedOnly?ht:M,$=Rn()??{query:sr,variables:``,headers:``,operationName:null},cr=J.getItem(`graphiql:shouldPersistHeaders`)===`true`;function lr(){let e=O();return(0,w.useEffect)(()=>void fe({}),[]),(0,T.jsx)(s,{fetcher:Ft,schema:e,storage:J,shouldPersistHeaders:cr,plugins:or,referencePlugin:_e,defaultQuery:sr,initialQuery:$.query,initialVariables:$.variables,initialHeaders:$.headers,children:(0,T.jsx)(ne,{children:(0,T.jsx)(o.Provider,{children:(0,T.jsx)(ur,{})})})})}function ur(){let e=W(`playground:result`,50);return tr(),yn(),dr(),_n($.operationName),fr(),(0,T.jsxs)(`div`,{className:`frame graphiql-container`,children:[(0,T.jsx)(rr,{}),(0,T.jsx)(ir,{}),(0,T.jsxs)(`main`,{className:`session`,children:[(0,T.jsx)(ar,{}),(0,T.jsxs)(`div`,{className:`panels`,style:e.style,children:[(0,T.jsx)(Xn,{}),(0,T.jsx)(G,{label:`Width of the operation`,orientation:`vertical`,split:e}),(0,T.jsx)(kn,{})]})]})]})}function dr(){let e=m(({tabs:e,activeTabIndex:t})=>e[t]?.id??``);(0,w.useEffect)(()=>_t(e),[e])}function fr(){let{tabs:e,activeTabIndex:t,responseEditor:n}=m(e=>e),{moveTab:r,stop:i,updateActiveTabValues:a}=f(),o=(0,w.useEffectEvent)(()=>{i(),vt(),r(e.map((e,n)=>n===t?e:{...e,response:null})),a({response:null}),n?.setValue(``)}),{personId:s}=S(C.state),c=(0,w.useRef)(s);(0,w.useEffect)(()=>{c.current!==s&&(c.current=s,o())},[s])}export{lr as Workbench};