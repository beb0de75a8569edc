import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{_ as t,a as n,c as r,d as i,f as a,g as o,i as s,l as c,n as l,o as u,r as d,s as f,t as p,u as m,v as ee,y as h}from"./packages-CYXPT-Ag.js";import{i as g,l as te,r as ne}from"./react-bgzSmEbw.js";import{a as re,i as ie,n as _,r as v,t as y}from"./index-DSJorkzj.js";var b=e(te(),1),x=ne(),ae={all:`M4 6h16M4 12h16M4 18h16`,archive:`M4 4h16v4H4zM6 8v12h12V8M10 12h4`,arrowLeft:`M19 12H5M11 6l-6 6 6 6`,calls:`M4 6h9M8 12h9M12 18h8`,check:`M5 13l4 4L19 7`,clock:`M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2`,close:`M6 6l12 12M18 6L6 18`,copy:`M9 9h11v11H9zM5 15H4V4h11v1`,document:`M7 3h7l5 5v13H7zM14 3v5h5`,documentation:`M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h12M9 8h6`,download:`M12 4v11M7 11l5 5 5-5M5 20h14`,examples:`M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z`,filter:`M4 6h16M7 12h10M10 18h4`,first:`M18 6l-6 6 6 6M7 6v12`,history:`M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2`,image:`M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M9 9h.01`,inbox:`M5 4h14l2 10v5H3v-5zM3 14h5a4 4 0 0 0 8 0h5`,keyboard:`M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10`,last:`M6 6l6 6-6 6M17 6v12`,menu:`M4 7h16M4 12h16M4 17h16`,merge:`M6 4v4c0 4 12 4 12 8v4M18 4v4c0 1.6-2 2.6-4 3.4M6 20v-4c0-1.6 2-2.6 4-3.4`,more:`M5 12h.01M12 12h.01M19 12h.01`,next:`M9 6l6 6-6 6`,play:`M7 4l12 8-12 8z`,plus:`M12 5v14M5 12h14`,prettify:`M4 6h10M8 11h12M8 16h8M4 21h10`,previous:`M15 6l-6 6 6 6`,repository:`M4 7c0-2 16-2 16 0v10c0 2-16 2-16 0zM4 7c0 2 16 2 16 0M4 12c0 2 16 2 16 0`,search:`M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM20 20l-4.5-4.5`,sort:`M7 5v14M4 16l3 3 3-3M17 19V5M14 8l3-3 3 3`,stop:`M6 6h12v12H6z`,user:`M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 20a7 7 0 0 1 14 0`,warning:`M12 4l9 16H3zM12 10v4M12 17h.01`};function S({name:e}){return(0,x.jsx)(`svg`,{className:`icon`,viewBox:`0 0 24 24`,"aria-hidden":`true`,children:(0,x.jsx)(`path`,{d:ae[e]})})}var C=g(()=>({schema:null})),w=null;function oe(e){return!y.introspection||y.persistedOnly||C.getState().schema!==null?Promise.resolve():(w??=se(e).finally(()=>w=null),w)}async function se(e){let t=await fetch(`schema.graphql`,{headers:e});t.ok&&C.setState({schema:o(await t.text())})}var ce=matchMedia(`(width >= 1100px)`),T=matchMedia(`(width < 760px)`);function le(){return ce.matches}function ue(){return(0,b.useSyncExternalStore)(e=>(T.addEventListener(`change`,e),()=>T.removeEventListener(`change`,e)),()=>T.matches)}var de=`# Reads the inbox with files, field values, recognition data, authors and referencing documents.
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
`,fe=`# Reads a document with the objects that its values refer to, and the response that the user is expected to give.
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
`,pe=`{ "id": "DOC-0191" }
`,me=`# Reads a filtered and sorted page of a view. \`after\` is the \`endCursor\` of the previous page.
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
`,he=`# Reads forms, directories with their values, and organizations: the data of a form editor.
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
`,ge=`# Reads a unit with its head, its members and their deputies.
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
`,_e=`{ "id": "unit0001" }
`,ve=`# Reads an object by its global ID, as Relay and other caches do.
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
`,ye=`{ "ids": ["RG9jdW1lbnQ6NjVmMDAwMDA1ZWVkMDBkMDAwMDAwMGJm", "UGVyc29uOnVzci1hbm4="] }
`,be=`# A page of up to 500 documents: the gateway asks the DMS for 100 at a time and joins them.
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
`,xe=`# Reads the form of a document and the labels of its fields, which need no role and no REST call.
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
`,Se=`{ "id": "DOC-0191", "language": "de" }
`,Ce=`# Reads invoices with their typed form: totals are exact, dates are dates, and suppliers are organizations.
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
`,we=`# Creates an invoice with the fields of its form, which are checked before anything is sent.
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
`,Te=`{
  "fields": {
    "number": "RE-2026-0100",
    "date": "2026-03-01",
    "supplier": "65f000005eed00c000000002",
    "total": "2587.71",
    "lines": [{ "article": "Copy paper A4", "quantity": "9", "amount": "44.01" }]
  }
}
`,Ee=`# Creates a document and sends it to approval. docs/uploads.md describes attachments.
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
`,De=`{
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
`,Oe=`# Responds to a document in the current phase. The gateway determines the response ID.
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
`,ke=`{ "input": { "document": "DOC-0191", "action": "APPROVE", "content": "Checked and fine." } }
`,Ae=`# Changes status or phase, as the initiator or an administrator.
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
`,je=`{ "input": { "document": "DOC-0198", "action": "SUSPEND" } }
`,Me=`# Updates the organization with this external ID, or creates it.
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
`,Ne=`{ "input": { "externalId": "erp-0099", "name": "Meridian Optics SA", "owner": "usr-eva" } }
`,Pe=`# Deletes an organization. \`deletedId\` is its global ID, with which a client can remove it from its cache.
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
`,Fe=`{ "input": { "id": "erp-0099" } }
`,Ie=`# Creates a value of a directory in two languages.
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
`,Le=`{
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
`,Re=`# Sets the deputy of a person.
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
`,ze=`{
  "input": {
    "id": "usr-ann",
    "officePhone": "+49 30 5550 100",
    "deputy": { "person": "usr-bob", "enabled": true }
  }
}
`,Be=`# Sets the head of a unit. Omitted fields are not changed.
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
`,Ve=`{ "input": { "id": "unit0001", "head": "usr-bob" } }
`,He=`# Workflow actions on several documents at once. Each is sent once and has its own result, in the order of the input.
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
`,Ue=`{
  "input": {
    "responses": [
      { "document": "DOC-0179", "action": "APPROVE" },
      { "document": "DOC-0169", "action": "APPROVE", "content": "Checked and fine." },
      { "document": "DOC-0158", "action": "SIGN" }
    ]
  }
}
`,We=`# Suspends a document, resumes it, and deletes another: changes of one document are made in the order of the input.
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
`,Ge=`{
  "input": {
    "moves": [
      { "document": "DOC-0159", "action": "SUSPEND" },
      { "document": "DOC-0159", "action": "RESUME" },
      { "document": "DOC-0144", "action": "DELETE" }
    ]
  }
}
`,Ke=`# Watches a document. Sends its current state first, then an event after each change by anybody.
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
`,qe=`{
  "id": "DOC-0191"
}
`,Je=`# Watches the first page of the inbox. Each event names the documents that were added, changed or removed.
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
`,Ye=`# Reads a document. The recognized text and the referencing documents follow when the DMS has returned them.
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
`,Xe=`{
  "id": "DOC-0191"
}
`,Ze=[`Read`,`Nested`,`Typed forms`,`Write`,`Live`,`Deferred`];function Qe(e){return Object.keys(e).filter(e=>e.endsWith(`.graphql`)).toSorted().map(t=>$e(t,e[t],e[t.replace(/graphql$/,`json`)]??``)).toSorted((e,t)=>Ze.indexOf(e.group)-Ze.indexOf(t.group))}function $e(e,t,n){let r=h(t).definitions.find(e=>e.kind===`OperationDefinition`);if(r?.name===void 0)throw Error(`${e} has no operation with a name`);let[i=``]=/^(?:#.*\n)+/.exec(t)??[];return{name:r.name.value,description:i.replaceAll(/^# ?/gm,``).replaceAll("`",``).trim().replaceAll(`
`,` `),group:e.includes(`typed-forms`)?`Typed forms`:et(r.operation,t),type:r.operation,query:t,variables:n}}function et(e,t){return e===`mutation`?`Write`:e===`subscription`?`Live`:/@(?:defer|stream)\b/.test(t)?`Deferred`:/ {8}\w.*\{\n/.test(t)?`Nested`:`Read`}function tt(e,t){let n=t.toLowerCase().split(/\s+/);return e.filter(({name:e,group:t,description:r,query:i})=>{let a=`${e} ${t} ${r} ${i}`.toLowerCase();return n.every(e=>a.includes(e))})}var E=Qe(Object.assign({"../../../01-inbox.graphql":de,"../../../02-document.graphql":fe,"../../../02-document.json":pe,"../../../03-next-page.graphql":me,"../../../04-reference-data.graphql":he,"../../../05-people.graphql":ge,"../../../05-people.json":_e,"../../../06-refetch.graphql":ve,"../../../06-refetch.json":ye,"../../../07-large-page.graphql":be,"../../../08-typed-forms-labels.graphql":xe,"../../../08-typed-forms-labels.json":Se,"../../../08-typed-forms.graphql":Ce,"../../../09-typed-forms-create.graphql":we,"../../../09-typed-forms-create.json":Te,"../../../10-create-document.graphql":Ee,"../../../10-create-document.json":De,"../../../11-respond-to-document.graphql":Oe,"../../../11-respond-to-document.json":ke,"../../../12-move-document.graphql":Ae,"../../../12-move-document.json":je,"../../../13-upsert-organization.graphql":Me,"../../../13-upsert-organization.json":Ne,"../../../14-delete-organization.graphql":Pe,"../../../14-delete-organization.json":Fe,"../../../15-upsert-list-value.graphql":Ie,"../../../15-upsert-list-value.json":Le,"../../../16-update-person.graphql":Re,"../../../16-update-person.json":ze,"../../../17-upsert-org-unit.graphql":Be,"../../../17-upsert-org-unit.json":Ve,"../../../18-respond-to-documents.graphql":He,"../../../18-respond-to-documents.json":Ue,"../../../19-move-documents.graphql":We,"../../../19-move-documents.json":Ge,"../../../20-document-changed.graphql":Ke,"../../../20-document-changed.json":qe,"../../../21-documents-changed.graphql":Je,"../../../30-defer.graphql":Ye,"../../../30-defer.json":Xe})),D=`# Reads the inbox with one query.
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
`,nt=`# This gateway executes only persisted documents (PERSISTED_ONLY=on).
# It rejects every query that is written here with FORBIDDEN, and so the query by which
# the playground reads the schema: there is no documentation and no completion.
#
# To explore the schema, start a gateway with PERSISTED_ONLY=off.
`,O=g(()=>({activeTab:``,byTab:{}})),rt={actor:null,document:null,traced:null,isTraced:!1,failure:null};function k(e,t){O.setState(({byTab:{[e]:n,...r}})=>({byTab:t===null?r:{...r,[e]:{...rt,...n,...t}}}))}function it(){return O(({activeTab:e,byTab:t})=>t[e])}var at=new Set([``,D,...E.map(({query:e})=>e)].map(ot));function ot(e){return e.trim()}function st(e){return at.has(ot(e))}function A(){let{queryEditor:e,variableEditor:t,responseEditor:n}=c(e=>e),{addTab:r,stop:i,updateActiveTabValues:a,setOperationFacts:o}=m(),s=c(({tabs:e,activeTabIndex:t})=>e[t]?.id??``);return({query:c,variables:l})=>{i(),st(e?.getValue()??``)?k(s,null):r(),e?.setValue(c),t?.setValue(l),n?.setValue(``);let u=h(c),d=u.definitions.filter(e=>e.kind===`OperationDefinition`),f=d[0]?.name?.value??null;o({documentAST:u,operations:d,operationName:f}),a({query:c,variables:l,response:null,operationName:f}),e?.focus()}}var ct={title:`Examples`,icon:()=>(0,x.jsx)(S,{name:`examples`}),content:lt};function lt(){let e=(0,b.useId)(),t=(0,b.useRef)(null);(0,b.useEffect)(()=>t.current?.focus(),[]);let[n,r]=(0,b.useState)(``),[i,a]=(0,b.useState)(0),o=A(),{setVisiblePlugin:s}=m(),c=tt(ut(),n),l=e=>{o(e),le()||s(null)},u=t=>{a(t),document.getElementById(`${e}-${t}`)?.scrollIntoView({block:`nearest`})};return(0,x.jsxs)(`section`,{className:`examples`,"aria-label":`Examples`,children:[(0,x.jsx)(`input`,{type:`search`,role:`combobox`,"aria-expanded":`true`,"aria-controls":e,"aria-activedescendant":c.length>0?`${e}-${i}`:void 0,"aria-label":`Search examples`,placeholder:`Search examples`,ref:t,value:n,onChange:({currentTarget:e})=>{r(e.value),a(0)},onKeyDown:e=>{let t={ArrowDown:(i+1)%c.length,ArrowUp:(i+c.length-1)%c.length}[e.key],n=c[i];if(t!==void 0&&c.length>0)u(t);else if(e.key===`Enter`&&!e.ctrlKey&&!e.metaKey&&n)l(n);else return;e.preventDefault()}}),(0,x.jsx)(`div`,{id:e,role:`listbox`,"aria-label":`Examples`,children:[...Map.groupBy(c,({group:e})=>e)].map(([t,n])=>(0,x.jsxs)(`div`,{role:`group`,"aria-labelledby":`${e}-${t}`,children:[(0,x.jsx)(`div`,{id:`${e}-${t}`,role:`presentation`,className:`example-group`,children:t}),n.map(t=>{let n=c.indexOf(t);return(0,x.jsxs)(`div`,{id:`${e}-${n}`,role:`option`,tabIndex:-1,className:`example`,"aria-selected":n===i,onClick:()=>l(t),children:[(0,x.jsx)(`strong`,{children:t.name}),t.type===`mutation`&&(0,x.jsx)(`span`,{className:`badge badge-paused`,children:`changes data`}),(0,x.jsx)(`span`,{className:`example-description`,children:t.description})]},t.name)})]},t))}),(0,x.jsx)(`p`,{role:`status`,className:`muted`,children:c.length===0&&`No example matches.`})]})}function ut(){let e=C(e=>e.schema);return(0,b.useMemo)(()=>e===null?E:E.filter(({query:t})=>ee(e,h(t)).length===0),[e])}var j=(()=>{try{return localStorage}catch{return null}})(),dt=`playground:history`,ft=20,M=g(()=>({operations:pt()}));function pt(){try{return JSON.parse(j?.getItem(dt)??`[]`)}catch{return[]}}function mt(e){P([e,...M.getState().operations.filter(t=>!ht(t,e))].slice(0,ft))}function N(e){let{operations:t}=M.getState();P(e===void 0?[]:t.filter(t=>t!==e))}function ht(e,t){return e.query===t.query&&e.variables===t.variables}function P(e){M.setState({operations:e});try{j?.setItem(dt,JSON.stringify(e))}catch{}}var gt={subscribe(e){return queueMicrotask(()=>e.complete()),{unsubscribe(){}}}},_t=async(e,t)=>{let n=yt(e),r=new AbortController;try{let e=t?.headers,i=await F(n.params,{"x-upstream-trace":`1`,...e},r.signal);i.ok&&oe({...await v(),...e});let a=i.headers.get(`content-type`)??``;if(a.startsWith(`text/event-stream`))return wt(Tt(i,n.takeCalls),r,n.fail);if(!a.includes(`json`))return n.fail(`The response is not JSON (status ${i.status}).`);let o=await i.json(),[s]=o.errors??[];return s?.extensions?.code===`GRAPHQL_PARSE_FAILED`?n.fail(xt(s)):n.takeCalls(o)}catch(e){return n.fail(bt(e))}},vt=0;function yt(e){let n=O.getState().activeTab,r=performance.now(),i=St(e.query),a=Ct(e,i),o=i&&t(i,a.operationName),{people:s}=re.getState();if(k(n,{actor:s.length===0?null:_()?.name??`the service account`,document:i,isTraced:!1,failure:null}),o){let t=Object.keys(e.variables??{}).length>0;mt({name:o.name?.value??``,query:e.query,variables:t?JSON.stringify(e.variables,null,2):``})}let c=e=>({id:vt+=1,name:o?.name?.value??``,kind:o?.operation??`query`,startMs:r,ms:performance.now()-r,calls:e});return{params:a,fail(e){return k(n,{traced:null,isTraced:!0,failure:e}),gt},takeCalls(e){let{upstream:t,...r}=e.extensions??{},{extensions:i,...a}=e;return t===void 0&&`hasNext`in e||k(n,{traced:t===void 0?null:c(t),isTraced:!0}),Object.keys(r).length===0?a:{...a,extensions:r}}}}async function F(e,t,n){let r=async()=>fetch(location.pathname,{method:`POST`,signal:n,headers:{"content-type":`application/json`,accept:`application/json, text/event-stream`,...await v(),...t},body:JSON.stringify(e)}),i=await r();return i.status!==401||_()===void 0?i:(await ie(),r())}function bt(e){return e instanceof TypeError?`The gateway cannot be reached. Check that it is running, then try again.`:e instanceof Error?e.message:String(e)}function xt({message:e,locations:t}){let[n]=t??[];return`The query cannot be parsed${n===void 0?``:` at line ${n.line}, column ${n.column}`}: ${e.replace(`Syntax Error: `,``)}`}function St(e){try{return h(e)}catch{return null}}function Ct(e,n){if(n===null||t(n,e.operationName))return e;let r=t(n);return r==null?e:{...e,operationName:r.name?.value??null}}function wt(e,t,n){return{async next(){try{return await e.next()}catch{return t.signal.aborted||n(`The connection to the gateway was lost. Run the operation again.`),{done:!0,value:void 0}}},return(){return t.abort(),Promise.resolve({done:!0,value:void 0})},[Symbol.asyncIterator](){return this}}}async function*Tt(e,t){let n=e.body.pipeThrough(new TextDecoderStream).getReader(),r=``;for(;;){let{done:e,value:i}=await n.read();if(e)return;let a=(r+i).split(`

`);r=a.pop()??``;for(let e of a){if(e.startsWith(`event: complete`))return;let[,n]=/^event: next\ndata: (.*)$/s.exec(e)??[];n!==void 0&&(yield t(JSON.parse(n)))}}}var Et={title:`History`,icon:()=>(0,x.jsx)(S,{name:`history`}),content:Dt};function Dt(){let{operations:e}=M(),t=A();return e.length===0?(0,x.jsx)(`p`,{className:`muted`,children:`Operations that you run appear here.`}):(0,x.jsxs)(`div`,{className:`history`,children:[(0,x.jsx)(`ul`,{children:e.map((e,n)=>{let r=e.name||e.query.trim();return(0,x.jsxs)(`li`,{children:[(0,x.jsx)(`button`,{type:`button`,className:`history-operation`,title:e.query,onClick:()=>t(e),children:r}),(0,x.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,"aria-label":`Remove ${r.slice(0,60)}`,onClick:()=>N(e),children:(0,x.jsx)(S,{name:`close`})})]},n)})}),(0,x.jsx)(`button`,{type:`button`,className:`button`,onClick:()=>N(),children:`Remove all`})]})}function Ot(e){let t=0,n=-1/0;return e.map(({startMs:e,ms:r})=>(e>=n&&([t,n]=[t+1,1/0]),n=Math.min(n,e+r),t))}function I(e){let t=new Map,n=0,r=-1/0;return e.toSorted((e,t)=>e.startMs-t.startMs).map(e=>{let{route:i,startMs:a,ms:o,source:s}=e,c=i.startsWith(`GET `),l=kt(e),u=c?t.get(l):void 0;return u===void 0?a>=r&&([n,r]=[n+1,1/0]):[n,r]=[u,1/0],s!==`cache`&&(r=Math.min(r,a+o)),c?u===void 0&&t.set(l,n):t=new Map,{...e,round:n}})}function kt({route:e,path:t}){let n=e.split(`/`).findIndex(e=>e.startsWith(`{`)),[r=``]=t.split(`?`);return n>0&&r.split(`/`)[n]||t}function At(e){let t=t=>e.filter(e=>e.kind===t).length,n=e.filter(({kind:e})=>e!==`subscription`).toSorted((e,t)=>e.startMs-t.startMs),r=Ot(n),i=new Map;for(let[e,{calls:t}]of n.entries()){let n=Math.max(0,...I(t).map(e=>e.round));i.set(r[e],Math.max(i.get(r[e])??0,n))}let a=n.flatMap(e=>e.calls);return{query:t(`query`),mutation:t(`mutation`),subscription:t(`subscription`),rounds:r.at(-1)??0,calls:new Set(a.map(({route:e,path:t})=>`${e} ${t}`)).size,callRounds:[...i.values()].reduce((e,t)=>e+t,0)}}var jt={title:`Cost of this screen`,withGateway:`With the gateway`,withoutGateway:`Without it`,requests:`Requests`,rounds:`Rounds`,waiting:`Waiting`,latency:`Network latency`,explanation:`Without the gateway, a front end sends each distinct REST call itself, and waits once per round: a call of the next round needs the answer of an earlier one. Waiting is rounds × latency, without the time of the DMS.`,query:`query`,mutation:`mutation`,subscription:`subscription`,calls:`REST calls`,call:`Call`,round:`Round`,source:`Source`,status:`Status`,start:`Start`,duration:`Duration`,dms:`sent`,shared:`shared`,cache:`cached`,attempt:`attempt`,none:`No REST call`,inspect:`Inspect`,inspectInPlayground:`Inspect {name} in the playground`,openInPlayground:`Open in the playground`},Mt={title:`Kosten dieser Seite`,withGateway:`Mit dem Gateway`,withoutGateway:`Ohne Gateway`,requests:`Anfragen`,rounds:`Runden`,waiting:`Wartezeit`,latency:`Netzlatenz`,explanation:`Ohne das Gateway sendet ein Front-End jeden der verschiedenen REST-Aufrufe selbst und wartet einmal je Runde: Ein Aufruf der nächsten Runde braucht die Antwort eines früheren. Die Wartezeit ist Runden × Latenz, ohne die Zeit des DMS.`,query:`Abfrage`,mutation:`Mutation`,subscription:`Abonnement`,calls:`REST-Aufrufe`,call:`Aufruf`,round:`Runde`,source:`Quelle`,status:`Status`,start:`Beginn`,duration:`Dauer`,dms:`gesendet`,shared:`geteilt`,cache:`aus dem Cache`,attempt:`Versuch`,none:`Kein REST-Aufruf`,inspect:`Untersuchen`,inspectInPlayground:`{name} im Playground untersuchen`,openInPlayground:`Im Playground öffnen`},Nt={en:{query:[`query`,`queries`],mutation:[`mutation`,`mutations`],subscription:[`subscription`,`subscriptions`],call:[`REST call`,`REST calls`],round:[`round`,`rounds`]},de:{query:[`Abfrage`,`Abfragen`],mutation:[`Mutation`,`Mutationen`],subscription:[`Abonnement`,`Abonnements`],call:[`REST-Aufruf`,`REST-Aufrufe`],round:[`Runde`,`Runden`]}},L={en:jt,de:Mt};function R(e,t,n){let[r,i]=Nt[e][t]??[t,t];return`${new Intl.NumberFormat(e).format(n)} ${n===1?r:i}`}function Pt({query:e,name:t,language:n}){let r=L[n];return(0,x.jsx)(`a`,{className:`inspect-link`,href:`/graphql?query=${encodeURIComponent(e)}`,target:`_blank`,rel:`noreferrer`,"aria-label":r.inspectInPlayground.replace(`{name}`,t),title:r.openInPlayground,children:r.inspect})}function Ft({operations:e,language:t}){return(0,x.jsxs)(`div`,{className:`rest-calls`,children:[(0,x.jsx)(Lt,{operations:e,language:t}),(0,x.jsx)(Rt,{operations:e,language:t})]})}var It=[20,80,200];function Lt({operations:e,language:t}){let n=L[t],r=(0,b.useId)(),[i,a]=(0,b.useState)(80),o=At(e),s=[`query`,`mutation`,`subscription`].filter(e=>o[e]>0).map(e=>R(t,e,o[e])),c=[{tone:`gateway`,name:n.withGateway,requests:s.join(`, `),rounds:o.rounds},{tone:`direct`,name:n.withoutGateway,requests:R(t,`call`,o.calls),rounds:o.callRounds}],l=Math.max(o.rounds,o.callRounds,1);return(0,x.jsxs)(`section`,{className:`rest-calls-cost`,"aria-label":n.title,children:[(0,x.jsxs)(`table`,{children:[(0,x.jsx)(`thead`,{className:`visually-hidden`,children:(0,x.jsxs)(`tr`,{children:[(0,x.jsx)(`th`,{scope:`col`,children:n.title}),(0,x.jsx)(`th`,{scope:`col`,children:n.requests}),(0,x.jsx)(`th`,{scope:`col`,children:n.rounds}),(0,x.jsx)(`th`,{scope:`col`,children:n.waiting})]})}),(0,x.jsx)(`tbody`,{children:c.map(({tone:e,name:n,requests:r,rounds:a})=>(0,x.jsxs)(`tr`,{children:[(0,x.jsx)(`th`,{scope:`row`,children:n}),(0,x.jsx)(`td`,{children:r}),(0,x.jsx)(`td`,{children:R(t,`round`,a)}),(0,x.jsxs)(`td`,{className:`rest-calls-waiting`,children:[(0,x.jsx)(`strong`,{children:z(a*i,t)}),(0,x.jsx)(`span`,{className:`rest-calls-scale`,children:(0,x.jsx)(`span`,{className:`rest-calls-bar rest-calls-${e}`,style:{width:`${a/l*100}%`}})})]})]},e))})]}),(0,x.jsxs)(`fieldset`,{className:`segments`,children:[(0,x.jsx)(`legend`,{children:n.latency}),It.map(e=>(0,x.jsxs)(`label`,{children:[(0,x.jsx)(`input`,{type:`radio`,name:r,checked:e===i,onChange:()=>a(e)}),(0,x.jsx)(`span`,{children:z(e,t)})]},e))]}),(0,x.jsx)(`p`,{className:`muted small`,children:n.explanation})]})}function Rt({operations:e,language:t}){let n=L[t];return(0,x.jsxs)(`table`,{className:`rest-calls-table`,children:[(0,x.jsx)(`caption`,{className:`visually-hidden`,children:n.calls}),(0,x.jsx)(`thead`,{children:(0,x.jsxs)(`tr`,{children:[(0,x.jsx)(`th`,{scope:`col`,children:n.call}),(0,x.jsx)(`th`,{scope:`col`,className:`number`,children:n.round}),(0,x.jsx)(`th`,{scope:`col`,children:n.source}),(0,x.jsx)(`th`,{scope:`col`,className:`number`,children:n.status}),(0,x.jsx)(`th`,{scope:`col`,className:`number`,children:n.start}),(0,x.jsx)(`th`,{scope:`col`,className:`number`,children:n.duration}),(0,x.jsx)(`td`,{"aria-hidden":`true`})]})}),e.map(e=>(0,x.jsx)(zt,{operation:e,language:t},e.id))]})}function zt({operation:e,language:t}){let n=L[t],{name:r,kind:i,ms:a,query:o}=e,s=I(e.calls),c=Math.max(...s.map(e=>e.startMs+e.ms),1);return(0,x.jsxs)(`tbody`,{children:[(0,x.jsx)(`tr`,{className:`rest-calls-operation`,children:(0,x.jsxs)(`th`,{scope:`rowgroup`,colSpan:7,children:[(0,x.jsxs)(`span`,{children:[(0,x.jsx)(`span`,{className:`muted`,children:n[i]}),` `,r,` `,(0,x.jsx)(`span`,{className:`muted`,children:[[`dms`,`shared`,`cache`].map(e=>[s.filter(t=>t.source===e).length,n[e]]).filter(([e])=>e>0).map(([e,t])=>`${e} ${t}`).join(`, `)||n.none,z(a,t)].join(` · `)})]}),o!==void 0&&(0,x.jsx)(Pt,{query:o,name:r,language:t})]})}),s.map((e,n)=>(0,x.jsx)(Bt,{call:e,totalMs:c,language:t},n))]})}function Bt({call:e,totalMs:t,language:n}){let r=L[n],{route:i,path:a,fields:o,embed:s,source:c,status:l,startMs:u,ms:d,attempt:f,round:p}=e,m=e=>`${e/t*100}%`;return(0,x.jsxs)(`tr`,{children:[(0,x.jsxs)(`th`,{scope:`row`,children:[(0,x.jsxs)(`code`,{children:[i.split(` `)[0],` `,a]}),f>1&&` (${r.attempt} ${f})`,o&&(0,x.jsxs)(`code`,{className:`muted`,children:[`fields=`,o.join(`,`)]}),s&&(0,x.jsxs)(`code`,{className:`muted`,children:[`embed=`,s.join(`,`)]})]}),(0,x.jsx)(`td`,{className:`number`,children:p}),(0,x.jsx)(`td`,{children:(0,x.jsx)(`span`,{className:`badge rest-calls-${c}`,children:r[c]})}),(0,x.jsx)(`td`,{className:`number`,children:l??`–`}),(0,x.jsx)(`td`,{className:`number`,children:z(u,n)}),(0,x.jsx)(`td`,{className:`number`,children:z(d,n)}),(0,x.jsx)(`td`,{"aria-hidden":`true`,children:(0,x.jsx)(`span`,{className:`rest-calls-bar rest-calls-${c}`,style:{marginInlineStart:m(u),width:m(d)}})})]})}function z(e,t){return`${new Intl.NumberFormat(t,{maximumFractionDigits:+(e<10)}).format(e)} ms`}var Vt=[[[a?`⌘`:`Ctrl`,`Enter`],`run the operation`],[[`Ctrl`,`Space`],`list the fields that fit`],[[`Shift`,`Ctrl`,`P`],`format the operation`]];function Ht(){return(0,x.jsx)(`dl`,{className:`keys`,children:Vt.map(([e,t])=>(0,x.jsxs)(`div`,{children:[(0,x.jsx)(`dt`,{children:e.map(e=>(0,x.jsx)(`kbd`,{children:e},e))}),(0,x.jsx)(`dd`,{children:t})]},t))})}var B=g(()=>({isWanted:!1}));function V(){return c(({queryEditor:e,responseEditor:t})=>!!(e&&t))}function H(){let e=V(),{run:t}=m();return()=>e?t():B.setState({isWanted:!0})}function Ut(){let e=V(),{isWanted:t}=B(),n=H();(0,b.useEffect)(()=>{e&&t&&(B.setState({isWanted:!1}),n())},[e,t,n]),(0,b.useEffect)(()=>{let e=e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&!e.defaultPrevented&&(e.preventDefault(),n())};return document.addEventListener(`keydown`,e),()=>document.removeEventListener(`keydown`,e)},[n])}var[U,W]=[15,85];function G(e,t){let{storage:n}=c(e=>e),[r,i]=(0,b.useState)(()=>Number(n.get(e))||t);return{percent:r,style:{"--first":`${r}fr`,"--second":`${100-r}fr`},set(t){let r=Math.round(Math.min(W,Math.max(U,t)));i(r),n.set(e,`${r}`)},reset(){i(t),n.set(e,``)}}}function K({label:e,orientation:t,split:n}){let r=t===`vertical`;return(0,x.jsx)(`div`,{className:`splitter splitter-${t}`,role:`separator`,tabIndex:0,"aria-label":e,"aria-orientation":t,"aria-valuenow":n.percent,"aria-valuemin":U,"aria-valuemax":W,onPointerDown:({currentTarget:e,pointerId:t})=>e.setPointerCapture(t),onPointerMove:({currentTarget:e,clientX:t,clientY:i,pointerId:a})=>{if(!e.hasPointerCapture(a))return;let o=e.previousElementSibling.getBoundingClientRect(),s=e.nextElementSibling.getBoundingClientRect(),c=r?(t-o.left)/(s.right-o.left):(i-o.top)/(s.bottom-o.top);n.set(100*c)},onKeyDown:e=>{let t={ArrowLeft:-2,ArrowUp:-2,ArrowRight:2,ArrowDown:2}[e.key];t!==void 0&&(e.preventDefault(),n.set(n.percent+t))},onDoubleClick:n.reset})}function Wt({table:e}){let{name:t,columns:n,rows:r}=e;return(0,x.jsxs)(`table`,{className:`result-table`,children:[(0,x.jsxs)(`caption`,{children:[t,`: `,r.length]}),(0,x.jsx)(`thead`,{children:(0,x.jsx)(`tr`,{children:n.map(e=>(0,x.jsx)(`th`,{scope:`col`,children:e},e))})}),(0,x.jsx)(`tbody`,{children:r.map((e,t)=>(0,x.jsx)(`tr`,{children:n.map(t=>(0,x.jsx)(`td`,{children:(0,x.jsx)(`div`,{className:`result-cell`,children:e.get(t)?.map(({text:e,href:t},n)=>(0,x.jsx)(`span`,{className:`result-part`,children:t===void 0?e:(0,x.jsx)(`a`,{href:t,target:`_blank`,rel:`noreferrer`,children:e})},n))})},t))},t))})]})}var Gt=new Set([`shortId`,`fullId`,`id`]);function Kt(e,t,n,r){let i=t.definitions.find(e=>e.kind===`OperationDefinition`);if(i===void 0)return[];let a=n?.getRootType(i.operation)??null;return new qt(t,n,r).tables(e,{sets:[i.selectionSet],type:a},[])}var qt=class{#e;#t;#n;constructor(e,t,n){let r=e.definitions.filter(e=>e.kind===`FragmentDefinition`);this.#e=new Map(r.map(e=>[e.name.value,e])),this.#t=t,this.#n=n}tables(e,t,n){if(!Y(e))return[];let r=this.#s(t);return Object.entries(e).flatMap(([e,t])=>{let i=r.get(e)?.below??{sets:[],type:null};if(!Array.isArray(t))return this.tables(t,i,[...n,e]);let a=t.filter(Y);return a.length===0?[]:[this.#r([...n,e].join(` `),a,i)]})}#r(e,t,n){let r=t.map(e=>new Map(this.#i(e,n,[])));return{name:e,columns:[...new Set(r.flatMap(e=>[...e.keys()]))],rows:r}}#i(e,t,n){let r=this.#s(t),i=!1;return Object.entries(e).flatMap(([e,a])=>{let{name:o,below:s}=r.get(e)??{name:e,below:{sets:[],type:null}};if(Y(a))return this.#i(a,s,[...n,e]);if(a===null&&s.sets.length>0)return[];let c=!i&&t.type?.name===`Document`&&Gt.has(o);i||=c;let l=c?[this.#a(J(a))]:this.#o(a,s);return[[[...n,e].join(` `),l]]})}#a(e){return this.#n===null?{text:e}:{text:e,href:this.#n(e)}}#o(e,t){if(Array.isArray(e))return e.flatMap(e=>this.#o(e,t));if(e==null)return[];if(!Y(e)){let n=J(e);return[t.type?.name===`URL`?{text:n,href:n}:{text:n}]}let n=this.#i(e,t,[]).flatMap(([,e])=>e),r=n.find(e=>e.href!==void 0)?.href;return[{text:n.filter(({text:e})=>e!==r).map(({text:e})=>e).join(` `)||(r??``),...r!==void 0&&{href:r}}]}#s({sets:e,type:t}){let n=new Map,r=(e,t)=>{let r=(e.alias??e.name).value,i=n.get(r)?.below.sets??[],a=t!==null&&`getFields`in t?t.getFields()[e.name.value]:void 0,o={sets:e.selectionSet===void 0?i:[...i,e.selectionSet],type:a===void 0?null:q(a.type)};n.set(r,{name:e.name.value,below:o})},i=(e,t)=>{for(let n of e.selections)if(n.kind===`Field`)r(n,t);else{let e=n.kind===`InlineFragment`?n:this.#e.get(n.name.value),r=e?.typeCondition?.name.value,a=r===void 0?t:this.#t?.getType(r);e!==void 0&&i(e.selectionSet,a??null)}};for(let n of e)i(n,t);return n}};function q(e){return`ofType`in e?q(e.ofType):e}function J(e){return typeof e==`string`?e:JSON.stringify(e)}function Y(e){return typeof e==`object`&&!!e&&!Array.isArray(e)}function Jt(){let e=it(),t=Xt(e),[n,r]=(0,b.useState)(!1),[i,a]=(0,b.useState)(!0),o=G(`playground:calls`,42),s=n&&t.length>0,c=e?.traced==null?`none`:i?`open`:`closed`;return(0,x.jsxs)(`section`,{className:`result-pane`,"aria-label":`Result`,children:[(0,x.jsxs)(`div`,{className:`bar`,children:[(0,x.jsx)(`h2`,{children:`Result`}),t.length>0&&(0,x.jsx)(Zt,{showsTable:s,onChange:r})]}),(0,x.jsxs)(`div`,{className:`result-parts`,"data-calls":c,style:o.style,children:[(0,x.jsx)(Yt,{run:e,tables:s?t:null}),(0,x.jsx)(K,{label:`Height of the result`,orientation:`horizontal`,split:o}),e?.traced&&(0,x.jsx)($t,{run:e,isOpen:i,onToggle:a})]})]})}function Yt({run:e,tables:t}){let n=i(({monaco:e})=>e!==void 0);return(0,x.jsxs)(`div`,{className:`result`,children:[(0,x.jsx)(`div`,{className:`editor`,hidden:t!==null,children:n&&(0,x.jsx)(s,{})}),t&&(0,x.jsx)(`div`,{className:`result-tables`,tabIndex:0,role:`region`,"aria-label":`Tables`,children:t.map(e=>(0,x.jsx)(Wt,{table:e},e.name))}),e?.failure&&(0,x.jsx)(`p`,{className:`notice notice-error`,role:`alert`,children:e.failure}),e===void 0&&(0,x.jsx)(Qt,{})]})}function Xt(e){let t=C(e=>e.schema),n=c(({tabs:e,activeTabIndex:t})=>e[t]?.response),r=e?.document;return(0,b.useMemo)(()=>{if(!n||!r)return[];let{data:e}=JSON.parse(n);return Kt(e,r,t,y.hasInbox?e=>`app/documents/${encodeURIComponent(e)}`:null)},[n,r,t])}function Zt({showsTable:e,onChange:t}){let n=(0,b.useId)();return(0,x.jsxs)(`fieldset`,{className:`segments`,children:[(0,x.jsx)(`legend`,{className:`visually-hidden`,children:`Show as`}),[`JSON`,`Table`].map(r=>(0,x.jsxs)(`label`,{children:[(0,x.jsx)(`input`,{type:`radio`,name:n,checked:e===(r===`Table`),onChange:()=>t(r===`Table`)}),(0,x.jsx)(`span`,{children:r})]},r))]})}function Qt(){let e=c(({tabs:e,activeTabIndex:t})=>e[t]?.query),t=A(),n=H();if(y.persistedOnly)return null;let r=e?.trim()===D.trim();return(0,x.jsxs)(`section`,{className:`start`,"aria-labelledby":`start`,children:[(0,x.jsx)(`h2`,{id:`start`,children:`The result appears here`}),r&&(0,x.jsxs)(x.Fragment,{children:[(0,x.jsx)(`p`,{className:`muted`,children:`The first example reads the inbox with one request.`}),(0,x.jsxs)(`button`,{type:`button`,className:`button button-primary`,onClick:()=>{t({query:`# Reads the inbox with one query.
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
`,variables:``}),n()},children:[(0,x.jsx)(S,{name:`play`}),`Run the first example`]})]}),(0,x.jsx)(Ht,{})]})}function $t({run:e,isOpen:t,onToggle:n}){let{actor:r,traced:i,isTraced:a}=e;return i===null?null:(0,x.jsxs)(`section`,{className:`calls`,"aria-labelledby":`calls`,"aria-busy":!a,children:[(0,x.jsx)(`h2`,{children:(0,x.jsxs)(`button`,{type:`button`,"aria-expanded":t,"aria-controls":`calls-body`,onClick:()=>n(!t),children:[(0,x.jsx)(S,{name:`next`}),(0,x.jsx)(`span`,{id:`calls`,children:en(i.calls,r)})]})}),(0,x.jsx)(`div`,{id:`calls-body`,className:`calls-body`,hidden:!t,tabIndex:0,role:`group`,"aria-labelledby":`calls`,children:(0,x.jsx)(Ft,{operations:[i],language:`en`})})]})}function en(e,t){let n=t=>e.filter(e=>e.source===t).length,r=Math.max(0,...e.map(({startMs:e,ms:t})=>e+t));return[`REST calls: ${n(`dms`)}`,...n(`cache`)>0?[`${n(`cache`)} cached`]:[],...n(`shared`)>0?[`${n(`shared`)} shared`]:[],...e.length>0?[`${r.toFixed(+(r<10))} ms`]:[],...t===null?[]:[`as ${t}`]].join(`, `)}var tn=400,nn={"x-cost-only":`1`},rn=new Set([`BAD_USER_INPUT`,`UPSTREAM_BUDGET_EXCEEDED`]);function an(){let e=c(({tabs:e,activeTabIndex:t})=>e[t]),t=c(({documentAST:e})=>e),{query:n,variables:r,headers:i,operationName:a}=e??{},o=JSON.stringify([n,r,i,a]),[s,l]=(0,b.useState)({operation:o,cost:null});return(0,b.useEffect)(()=>{let e=new AbortController,s=e=>l({operation:o,cost:e}),c=async()=>{let o=n&&t&&on(t,a);s(o?await sn({query:n,variables:r,headers:i,operationName:a??null},e.signal):null)},u=setTimeout(()=>{c().catch(()=>{e.signal.aborted||s(null)})},tn);return()=>{clearTimeout(u),e.abort()}},[n,r,i,a,t,o]),s.cost!==null&&s.operation!==o?`outdated`:s.cost}function on(e,n){if(!y.introspection||y.persistedOnly)return!1;let r=t(e,n);return r!=null&&r.operation!==`mutation`}async function sn({query:e,operationName:t,variables:n,headers:r},i){let a=ln(r);if(!await cn(a))return null;let{errors:[o]=[],extensions:s}=await(await F({query:e,operationName:t,variables:ln(n)},{...a,...nn},i)).json();return s?.cost===void 0?o!==void 0&&rn.has(o.extensions?.code??``)?{error:o.message}:null:s.cost}var X=null;function cn(e){return X??=(async()=>{let{extensions:t}=await(await F({query:`{ __typename }`},{...e,...nn},AbortSignal.timeout(1e4))).json();return t?.cost===void 0&&(X=null),t?.cost!==void 0})(),X}function ln(e){return e?JSON.parse(e):{}}function un(){let e=an(),t=e!==null&&e!==`outdated`&&`error`in e;return(0,x.jsx)(`output`,{className:t?`cost cost-error`:`cost`,"aria-busy":e===`outdated`,children:dn(e)})}function dn(e){if(e===null)return``;if(e===`outdated`)return`Cost: …`;if(`error`in e)return e.error;let{atLeast:t,upstreamCalls:n}=e;return`Cost: ${t===n?`${t}`:`${t} to ${n}`} REST ${n===1?`call`:`calls`}`}function fn(){let{prettifyEditors:e,mergeQuery:t,copyQuery:r}=m(),a=i(({monaco:e})=>e!==void 0),o=G(`playground:variables`,70),s=pn();return(0,x.jsxs)(`section`,{className:`editor-pane`,"aria-label":`Operation`,children:[(0,x.jsxs)(`div`,{className:`bar`,children:[(0,x.jsx)(hn,{}),(0,x.jsx)(un,{}),(0,x.jsxs)(`div`,{className:`bar-tools`,children:[(0,x.jsx)(Z,{label:`Format`,icon:`prettify`,onClick:()=>void e()}),(0,x.jsx)(Z,{label:`Merge fragments`,icon:`merge`,onClick:t}),(0,x.jsx)(Z,{label:`Copy`,icon:`copy`,onClick:()=>void r()})]})]}),(0,x.jsxs)(`div`,{className:`editors`,"data-inputs":s.shown??`none`,style:o.style,children:[(0,x.jsx)(`div`,{className:`editor`,children:a&&(0,x.jsx)(n,{})}),(0,x.jsx)(K,{label:`Height of the operation`,orientation:`horizontal`,split:o}),(0,x.jsxs)(`div`,{className:`inputs`,children:[(0,x.jsxs)(`div`,{className:`inputs-head`,children:[[`variables`,`headers`].map(e=>(0,x.jsxs)(`button`,{type:`button`,"aria-expanded":s.shown===e,"aria-controls":`input-${e}`,onClick:()=>s.toggle(e),children:[(0,x.jsx)(S,{name:`next`}),e===`variables`?`Variables`:`Headers`]},e)),s.shown===`headers`&&(0,x.jsx)(mn,{})]}),(0,x.jsx)(`div`,{id:`input-variables`,className:`editor`,hidden:s.shown!==`variables`,children:a&&(0,x.jsx)(d,{})}),(0,x.jsx)(`div`,{id:`input-headers`,className:`editor`,hidden:s.shown!==`headers`,children:a&&(0,x.jsx)(u,{})})]})]})]})}function pn(){let[e,t]=(0,b.useState)(),n=c(({tabs:e,activeTabIndex:t})=>e[t]),r=n.variables?`variables`:n.headers?`headers`:null,i=`${n.id} ${n.title}`,a=e?.tab===i?e.input:r;return{shown:a,toggle:e=>t({tab:i,input:a===e?null:e})}}function mn(){let e=c(e=>e.shouldPersistHeaders),{setShouldPersistHeaders:t}=m();return(0,x.jsxs)(`label`,{className:`keep-headers`,children:[(0,x.jsx)(`input`,{type:`checkbox`,checked:e,onChange:({currentTarget:e})=>t(e.checked)}),`Keep in this browser`]})}function Z({label:e,icon:t,onClick:n}){return(0,x.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,title:e,"aria-label":e,onClick:n,children:(0,x.jsx)(S,{name:t})})}function hn(){let{operations:e=[],operationName:t,isFetching:n,subscription:r}=c(e=>e),i=H(),{stop:a,setOperationName:o}=m(),s=n||r!==null,l=e.flatMap(({name:e})=>e?.value??[]);return(0,x.jsxs)(x.Fragment,{children:[(0,x.jsxs)(`button`,{type:`button`,className:`button button-primary`,onClick:s?a:i,children:[(0,x.jsx)(S,{name:s?`stop`:`play`}),s?`Stop`:`Run`]}),l.length>1&&(0,x.jsx)(`select`,{"aria-label":`Operation to run`,value:t??l[0],onChange:({currentTarget:e})=>o(e.value),children:l.map(e=>(0,x.jsx)(`option`,{children:e},e))})]})}var Q=matchMedia(`(prefers-color-scheme: dark)`);function gn(){let e=i(e=>e.monaco),{queryEditor:t,variableEditor:n,headerEditor:r,responseEditor:a}=c(e=>e),o=ue();(0,b.useEffect)(()=>{if(e===void 0)return;let t=()=>{e.editor.defineTheme(`playground`,_n()),e.editor.setTheme(`playground`)};return t(),Q.addEventListener(`change`,t),()=>Q.removeEventListener(`change`,t)},[e]),(0,b.useEffect)(()=>{let e={Operation:t,Variables:n,Headers:r,Result:a};for(let[t,n]of Object.entries(e))n?.updateOptions({ariaLabel:t,fontFamily:getComputedStyle(document.body).getPropertyValue(`--font-mono`),fontSize:13,lineHeight:20,padding:{top:8,bottom:8},...o?{lineNumbers:`off`,folding:!1,glyphMargin:!1,lineDecorationsWidth:8}:{lineNumbers:t===`Result`?`off`:`on`,folding:!0,lineNumbersMinChars:3,lineDecorationsWidth:10}})},[t,n,r,a,o]),(0,b.useEffect)(()=>{document.activeElement===document.body&&matchMedia(`(pointer: fine)`).matches&&t?.focus()},[t])}function $(e){let t=document.body.appendChild(document.createElement(`i`));t.style.color=`var(--${e})`;let n=getComputedStyle(t).color.match(/\d+/g)??[];return t.remove(),n.map(e=>Number(e).toString(16).padStart(2,`0`)).join(``)}function _n(){let e=e=>`#${$(e)}`,t=Object.fromEntries([1,2,3,4,5,6].map(t=>[`editorBracketHighlight.foreground${t}`,e(`text`)]));return{base:Q.matches?`vs-dark`:`vs`,inherit:!1,rules:[{token:``,foreground:$(`text`)},{token:`comment`,foreground:$(`text-muted`)},{token:`keyword`,foreground:$(`accent`)},{token:`type`,foreground:$(`accent`)},{token:`string`,foreground:$(`success`)},{token:`string.key.json`,foreground:$(`accent`)},{token:`number`,foreground:$(`warning`)},{token:`annotation`,foreground:$(`danger`)},{token:`argument.identifier`,foreground:$(`warning`)},{token:`key.identifier`,foreground:$(`text`)}],colors:{"editor.background":e(`surface`),"editor.foreground":e(`text`),"editorLineNumber.foreground":e(`text-muted`),"editorLineNumber.dimmedForeground":e(`text-muted`),"editorLineNumber.activeForeground":e(`text`),"editorBracketHighlight.unexpectedBracket.foreground":e(`danger`),"editorCursor.foreground":e(`accent`),"editor.selectionBackground":e(`accent-soft`),"editor.inactiveSelectionBackground":e(`surface-hover`),"editorWidget.background":e(`surface`),"editorWidget.border":e(`border-strong`),"editorSuggestWidget.foreground":e(`text`),"editorSuggestWidget.selectedBackground":e(`accent-soft`),"editorSuggestWidget.selectedForeground":e(`accent-soft-text`),"editorSuggestWidget.highlightForeground":e(`accent`),"editorSuggestWidget.focusHighlightForeground":e(`accent`),"editorHoverWidget.background":e(`surface`),"editorHoverWidget.border":e(`border-strong`),"editorLink.activeForeground":e(`accent`),"textLink.foreground":e(`accent`),"list.hoverBackground":e(`surface-hover`),...t,focusBorder:e(`accent`),"input.background":e(`surface`),"input.border":e(`border-strong`)}}}function vn(){let{plugins:e,visiblePlugin:t}=c(e=>e),{setVisiblePlugin:n}=m();return(0,x.jsxs)(`nav`,{className:`rail`,"aria-label":`Panes`,children:[e.map(e=>{let r=e===t;return(0,x.jsxs)(`button`,{type:`button`,"aria-expanded":r,"aria-controls":r?`pane`:void 0,onClick:()=>n(r?null:e),children:[(0,x.jsx)(e.icon,{}),e.title]},e.title)}),(0,x.jsxs)(`button`,{type:`button`,popoverTarget:`keys`,children:[(0,x.jsx)(S,{name:`keyboard`}),`Keys`]}),(0,x.jsx)(`div`,{id:`keys`,className:`popup`,popover:`auto`,role:`dialog`,"aria-label":`Keys`,children:(0,x.jsx)(Ht,{})})]})}function yn(){let e=c(({visiblePlugin:e})=>e),{setVisiblePlugin:t}=m();return(0,b.useEffect)(()=>{le()||t(null)},[t]),e===null?null:(0,x.jsxs)(`aside`,{id:`pane`,className:`pane`,"aria-label":e.title,children:[(0,x.jsxs)(`div`,{className:`pane-head`,children:[(0,x.jsx)(`h2`,{children:e.title}),(0,x.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,"aria-label":`Close ${e.title}`,onClick:()=>t(null),children:(0,x.jsx)(S,{name:`close`})})]}),(0,x.jsx)(`div`,{className:`pane-body`,children:(0,x.jsx)(e.content,{})})]})}function bn(){let{tabs:e,activeTabIndex:t}=c(e=>e),{addTab:n,changeTab:r,closeTab:i}=m();return(0,x.jsxs)(`div`,{className:`tabs`,children:[(0,x.jsx)(`ul`,{children:e.map(({id:n,title:a},o)=>(0,x.jsxs)(`li`,{"data-active":o===t,children:[(0,x.jsx)(`button`,{type:`button`,className:`tab`,"aria-current":o===t?`true`:void 0,onClick:()=>r(o),children:a}),e.length>1&&(0,x.jsx)(`button`,{type:`button`,className:`tab-close`,"aria-label":`Close ${a}`,onClick:()=>i(o),children:(0,x.jsx)(S,{name:`close`})})]},n))}),(0,x.jsx)(`button`,{type:`button`,className:`tab-add`,"aria-label":`New tab`,onClick:n,children:(0,x.jsx)(S,{name:`plus`})})]})}var xn={title:`Documentation`,icon:()=>(0,x.jsx)(S,{name:`documentation`}),content:l},Sn=[xn,...y.persistedOnly?[]:[ct],Et],Cn=y.persistedOnly?nt:D,wn=new URLSearchParams(location.search).get(`query`)??j?.getItem(`graphiql:query`)??Cn;function Tn(){let e=C(e=>e.schema);return(0,b.useEffect)(()=>void oe({}),[]),(0,x.jsx)(r,{fetcher:_t,schema:e,storage:j,plugins:Sn,referencePlugin:xn,defaultQuery:Cn,initialQuery:wn,children:(0,x.jsx)(p,{children:(0,x.jsx)(f.Provider,{children:(0,x.jsx)(En,{})})})})}function En(){let e=G(`playground:result`,50);return gn(),Ut(),Dn(),(0,x.jsxs)(`div`,{className:`frame graphiql-container`,children:[(0,x.jsx)(vn,{}),(0,x.jsx)(yn,{}),(0,x.jsxs)(`main`,{className:`session`,children:[(0,x.jsx)(bn,{}),(0,x.jsxs)(`div`,{className:`panels`,style:e.style,children:[(0,x.jsx)(fn,{}),(0,x.jsx)(K,{label:`Width of the operation`,orientation:`vertical`,split:e}),(0,x.jsx)(Jt,{})]})]})]})}function Dn(){let e=c(({tabs:e,activeTabIndex:t})=>e[t]?.id??``);(0,b.useEffect)(()=>O.setState({activeTab:e}),[e])}export{Tn as Workbench};