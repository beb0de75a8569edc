import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{C as t,S as n,T as r,a as i,b as a,c as o,d as s,f as c,g as l,h as u,i as d,l as f,m as p,n as ee,o as m,p as h,r as te,s as ne,t as re,u as ie,w as g,x as _}from"./packages-C9bT66nZ.js";import{a as ae,n as oe}from"./react-CPU5xpvM.js";import{a as v,c as y,d as se,i as b,l as x,n as ce,o as S,r as C,s as le,t as ue,u as w}from"./index-D8oNGXMw.js";import{t as de}from"./tabFocus-8uBLWz4B.js";var T=e(ae(),1),E=v(null);function D(){return S(E)}var fe=null;function pe(e){return!b.introspection||b.persistedOnly||E.get()!==null?Promise.resolve():(fe??=me(e).finally(()=>fe=null),fe)}async function me(e){let t=await fetch(`schema.graphql`,{headers:e});t.ok&&E.set(a(await t.text()))}var he=100;function ge(e,t){let n=t.trim().toLowerCase(),r=[[],[],[]];for(let[t,i]of _e(e)){let e=(n.includes(`.`)?i.label:t).toLowerCase(),a=e.indexOf(n);a>=0&&r[e===n?0:a===0?1:2].push(i)}return r.flat().slice(0,he)}function*_e(e){for(let t of Object.values(e.getTypeMap())){if(t.name.startsWith(`__`))continue;yield[t.name,{label:t.name,path:[t]}];for(let{name:e}of`getValues`in t?t.getValues():[])yield[e,{label:`${t.name}.${e}`,path:[t]}];let e=`getFields`in t?Object.values(t.getFields()):[];for(let n of e){let e=`${t.name}.${n.name}`;yield[n.name,{label:e,path:[t,n]}];let r=`args`in n?n.args:[];for(let{name:i}of r)yield[i,{label:`${e}(${i}:)`,path:[t,n]}]}}}var O=oe(),ve={title:`Documentation`,icon:()=>(0,O.jsx)(w,{name:`documentation`}),content:ye};function ye(){let e=D();return e===null?(0,O.jsx)(`p`,{className:`muted`,children:`There is no schema.`}):(0,O.jsx)(be,{schema:e})}function be({schema:e}){let n=ee(),{push:r,pop:a}=te(),[o,s]=(0,T.useState)({text:``,pages:n}),c=o.pages===n?o.text:``,l=n.at(-1),u=(0,T.useRef)(null),f=(0,T.useRef)(n);(0,T.useEffect)(()=>{f.current!==n&&u.current?.focus(),f.current=n},[n]);let p=({path:e})=>{for(let t of e)r({name:t.name,def:t})},h=c.trim()===``?null:ge(e,c);return(0,O.jsxs)(`section`,{className:`documentation`,"aria-label":`Documentation`,children:[(0,O.jsx)(`input`,{type:`search`,"aria-label":`Search the documentation`,placeholder:`Type, field, Type.field or value`,value:c,onChange:({currentTarget:e})=>s({text:e.value,pages:n}),onKeyDown:({key:e})=>{e===`Enter`&&h?.[0]&&p(h[0])}}),h===null?(0,O.jsxs)(O.Fragment,{children:[n.length>1&&(0,O.jsxs)(`button`,{type:`button`,className:`button button-quiet`,onClick:a,children:[(0,O.jsx)(w,{name:`previous`}),n.at(-2)?.name]}),(0,O.jsx)(`h3`,{ref:u,tabIndex:-1,children:l?.name}),l?.def===void 0?(0,O.jsx)(i,{schema:e}):t(l.def)?(0,O.jsx)(d,{type:l.def}):(0,O.jsx)(m,{field:l.def})]}):(0,O.jsxs)(O.Fragment,{children:[(0,O.jsx)(`ul`,{children:h.map(e=>(0,O.jsx)(`li`,{children:(0,O.jsx)(`button`,{type:`button`,className:`found`,onClick:()=>p(e),children:e.label})},e.label))}),(0,O.jsx)(`p`,{role:`status`,className:`muted`,children:h.length===0&&`Nothing in the schema has this name.`})]})]})}var xe=matchMedia(`(width >= 1280px)`),k=matchMedia(`(width < 760px)`);function A(){return xe.matches}function Se(){return(0,T.useSyncExternalStore)(e=>(k.addEventListener(`change`,e),()=>k.removeEventListener(`change`,e)),()=>k.matches)}var Ce=`# Reads the inbox with files, field values, recognition data, authors and referencing documents.
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
`,N=v({activeTab:``,byTab:{}}),gt={actor:null,document:null,traced:null,isTraced:!1,failure:null,lateResponse:null};function _t(e){N.set({...N.get(),activeTab:e})}function P(e,t){let{activeTab:n,byTab:r}=N.get(),{[e]:i,...a}=r,o=t===null?a:{...a,[e]:{...gt,...i,...t}};N.set({activeTab:n,byTab:o})}function vt(){N.set({...N.get(),byTab:{}})}function yt(){let{activeTab:e,byTab:t}=S(N);return t[e]}var bt=new Set([``,M,...j.map(({query:e})=>e)].map(xt));function xt(e){return e.trim()}function St(e){return bt.has(xt(e))}function F(){let{queryEditor:e,variableEditor:t,responseEditor:n}=h(e=>e),{addTab:r,stop:i,updateActiveTabValues:a,setOperationFacts:o}=p(),s=h(({tabs:e,activeTabIndex:t})=>e[t]?.id??``);return({query:c,variables:l})=>{i(),St(e?.getValue()??``)?P(s,null):r(),e?.setValue(c),t?.setValue(l),n?.setValue(``);let u=g(c),d=u.definitions.filter(e=>e.kind===`OperationDefinition`),f=d[0]?.name?.value??null;o({documentAST:u,operations:d,operationName:f}),a({query:c,variables:l,response:null,operationName:f}),e?.focus()}}var Ct={title:`Examples`,icon:()=>(0,O.jsx)(w,{name:`examples`}),content:wt};function wt(){let e=(0,T.useId)(),t=(0,T.useRef)(null);(0,T.useEffect)(()=>t.current?.focus(),[]);let[n,r]=(0,T.useState)(``),[i,a]=(0,T.useState)(0),o=F(),{setVisiblePlugin:s}=p(),c=mt(Tt(),n),l=e=>{o(e),A()||s(null)},u=t=>{a(t),document.getElementById(`${e}-${t}`)?.scrollIntoView({block:`nearest`})};return(0,O.jsxs)(`section`,{className:`examples`,"aria-label":`Examples`,children:[(0,O.jsx)(`input`,{type:`search`,role:`combobox`,"aria-expanded":`true`,"aria-controls":e,"aria-activedescendant":c.length>0?`${e}-${i}`:void 0,"aria-label":`Search examples`,placeholder:`Search examples`,ref:t,value:n,onChange:({currentTarget:e})=>{r(e.value),a(0)},onKeyDown:e=>{let t={ArrowDown:(i+1)%c.length,ArrowUp:(i+c.length-1)%c.length}[e.key],n=c[i];if(t!==void 0&&c.length>0)u(t);else if(e.key===`Enter`&&!e.ctrlKey&&!e.metaKey&&n)l(n);else return;e.preventDefault()}}),(0,O.jsx)(`div`,{id:e,role:`listbox`,"aria-label":`Examples`,children:[...Map.groupBy(c,({group:e})=>e)].map(([t,n])=>(0,O.jsxs)(`div`,{role:`group`,"aria-labelledby":`${e}-${t}`,children:[(0,O.jsx)(`div`,{id:`${e}-${t}`,role:`presentation`,className:`example-group`,children:t}),n.map(t=>{let n=c.indexOf(t);return(0,O.jsxs)(`div`,{id:`${e}-${n}`,role:`option`,tabIndex:-1,className:`example`,"aria-selected":n===i,onClick:()=>l(t),children:[(0,O.jsx)(`strong`,{children:t.name}),t.type===`mutation`&&(0,O.jsx)(`span`,{className:`badge badge-paused`,children:`changes data`}),(0,O.jsx)(`span`,{className:`example-description`,children:t.description})]},t.name)})]},t))}),(0,O.jsx)(`p`,{role:`status`,className:`muted`,children:c.length===0&&`No example matches.`})]})}function Tt(){let e=D();return(0,T.useMemo)(()=>e===null?j:j.filter(({query:t})=>n(e,g(t)).length===0),[e])}var Et=`playground:history`,Dt=20,I=v(Ot());function Ot(){try{return JSON.parse(y(`localStorage`,Et)??`[]`)}catch{return[]}}function kt(e){Mt([e,...I.get().filter(t=>!jt(t,e))].slice(0,Dt))}function At(e){Mt(e?I.get().filter(t=>t!==e):[])}function jt(e,t){return e.query===t.query&&e.variables===t.variables}function Mt(e){I.set(e),x(`localStorage`,Et,JSON.stringify(e))}var L={subscribe(e){return queueMicrotask(()=>e.complete()),{unsubscribe(){}}}},R={key:``,result:Promise.resolve({}),endMs:-1/0},Nt=500,Pt=(e,t)=>{let n=zt(e.query),r=Bt(e,n);if(!n||_(n,r.operationName)?.operation!==`mutation`)return Ft(r,n,t);let i=JSON.stringify([r,t?.headers,C.state.get().personId]);if(i===R.key&&performance.now()<R.endMs+Nt)return R.result;let a={key:i,result:Ft(r,n,t),endMs:1/0};return R=a,a.result.finally(()=>a.endMs=performance.now()),a.result};async function Ft(e,t,n){let r=Lt(e,t),i=new AbortController;try{let t=n?.headers,a=await z(e,{"x-upstream-trace":`1`,...t},i.signal);a.ok&&pe({...await ce(),...t});let o=a.headers.get(`content-type`)??``;if(o.startsWith(`text/event-stream`))return Vt(Ht(a,r.takeCalls),i,r.fail);if(!o.includes(`json`))return r.fail(`The response is not JSON (status ${a.status}).`);let s=await a.json();return r.show(s)}catch(e){return r.fail(Rt(e))}}var It=0;function Lt(e,t){let n=N.get().activeTab,r=performance.now(),i=t&&_(t,e.operationName),{personId:a}=C.state.get();if(P(n,{document:t,isTraced:!1,failure:null}),i){let{query:t,variables:n}=e;kt({name:i.name?.value??``,query:t,variables:Object.keys(n??{}).length>0?JSON.stringify(n,null,2):``,atMs:Date.now(),personId:a})}let o=e=>({id:It+=1,name:i?.name?.value??``,kind:i?.operation??`query`,startMs:r,ms:performance.now()-r,calls:e});return{show(e){if(C.state.get().personId!==a)return L;let t=this.takeCalls(e);return N.get().activeTab===n?t:(P(n,{lateResponse:JSON.stringify(t,null,2)}),L)},fail(e){return P(n,{traced:null,isTraced:!0,failure:e}),L},takeCalls(e){let{upstream:t,...r}=e.extensions??{},{extensions:i,...s}=e;if(t!==void 0||!(`hasNext`in e)){let e=t===void 0?null:o(t);P(n,{traced:e,isTraced:!0,actor:ue(a)})}return Object.keys(r).length===0?s:{...s,extensions:r}}}}async function z(e,t,n){let r=async()=>fetch(location.pathname,{method:`POST`,signal:n,headers:{"content-type":`application/json`,accept:`application/json, text/event-stream`,...await ce(),...t},body:JSON.stringify(e)}),i=await r();return i.status!==401||C.state.get().personId===null?i:(await C.renew(),r())}function Rt(e){return e instanceof TypeError?`The gateway cannot be reached. Check that it is running, then try again.`:e instanceof Error?e.message:String(e)}function zt(e){try{return g(e)}catch{return null}}function Bt(e,t){if(t===null||_(t,e.operationName))return e;let n=_(t);return n==null?e:{...e,operationName:n.name?.value??null}}function Vt(e,t,n){return{async next(){try{return await e.next()}catch{return t.signal.aborted||n(`The connection to the gateway was lost. Run the operation again.`),{done:!0,value:void 0}}},return(){return t.abort(),Promise.resolve({done:!0,value:void 0})},[Symbol.asyncIterator](){return this}}}async function*Ht(e,t){let n=e.body.pipeThrough(new TextDecoderStream).getReader(),r=``;for(;;){let{done:e,value:i}=await n.read();if(e)return;let a=(r+i).split(`

`);r=a.pop()??``;for(let e of a){if(e.startsWith(`event: complete`))return;let[,n]=/^event: next\ndata: (.*)$/s.exec(e)??[];n!==void 0&&(yield t(JSON.parse(n)))}}}var Ut={title:`History`,icon:()=>(0,O.jsx)(w,{name:`history`}),content:Wt};function Wt(){let e=S(I),t=F();return S(C.state),e.length===0?(0,O.jsx)(`p`,{className:`muted`,children:`Operations that you run appear here.`}):(0,O.jsxs)(`div`,{className:`history`,children:[(0,O.jsx)(`ul`,{children:e.map((e,n)=>{let r=e.name||e.query.trim();return(0,O.jsxs)(`li`,{children:[(0,O.jsxs)(`button`,{type:`button`,className:`history-operation`,title:e.query,onClick:()=>t(e),children:[(0,O.jsx)(`span`,{className:`clip`,children:r}),(0,O.jsx)(`span`,{className:`muted small`,children:Kt(e)})]}),(0,O.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,"aria-label":`Remove ${r.slice(0,60)}`,onClick:()=>At(e),children:(0,O.jsx)(w,{name:`close`})})]},n)})}),(0,O.jsx)(`button`,{type:`button`,className:`button`,onClick:()=>At(),children:`Remove all`})]})}var Gt=new Intl.DateTimeFormat(`en`,{dateStyle:`medium`,timeStyle:`short`});function Kt({atMs:e,personId:t=null}){return e===void 0?``:[Gt.format(e),ue(t)].filter(Boolean).join(` · `)}function qt(e){let t=0,n=-1/0;return e.map(({startMs:e,ms:r})=>(e>=n&&([t,n]=[t+1,1/0]),n=Math.min(n,e+r),t))}function Jt(e){let t=new Map,n=0,r=-1/0;return e.toSorted((e,t)=>e.startMs-t.startMs).map(e=>{let{startMs:i,ms:a,source:o}=e,s=Yt(e),c=Xt(e),l=s?t.get(c):void 0;return l===void 0?i>=r&&([n,r]=[n+1,1/0]):[n,r]=[l,1/0],o!==`cache`&&(r=Math.min(r,i+a)),s?l===void 0&&t.set(c,n):t=new Map,{...e,round:n}})}function Yt({route:e}){return/^(?:GET|HEAD) /.test(e)}function Xt({route:e,path:t}){let n=e.split(`/`).findIndex(e=>e.startsWith(`{`)),[r=``]=t.split(`?`);return n>0&&r.split(`/`)[n]||t}function Zt(e){let t=t=>e.filter(e=>e.kind===t).length,n=e.filter(({kind:e})=>e!==`subscription`),r=(n.length>0?n:e).toSorted((e,t)=>e.startMs-t.startMs),i=qt(r),a=new Set,o=0,s=new Set;for(let[e,t]of r.entries())for(let n of Jt(t.calls)){let t=`${n.route} ${n.path}`;a.has(t)||(Yt(n)?a.add(t):a=new Set,o+=1,s.add(`${i[e]} ${n.round}`))}return{query:t(`query`),mutation:t(`mutation`),subscription:t(`subscription`),file:t(`file`),rounds:i.at(-1)??0,calls:o,callRounds:s.size}}function Qt({operation:e,name:t,personId:n,texts:{t:r}}){return(0,O.jsx)(`a`,{className:`inspect-link`,href:`/graphql${le(e,n)}`,target:`_blank`,rel:`noreferrer`,"aria-label":r(`Inspect {name} in the playground`,{name:t}),title:r(`Open in the playground`),children:r(`Inspect`)})}var $t={query:`queries`,mutation:`mutations`,subscription:`subscriptions`,file:`files`,round:`rounds`,"REST call":`REST calls`};function B({t:e,language:t},n,r){return`${new Intl.NumberFormat(t).format(r)} ${e(r===1?n:$t[n])}`}function en(e,t,{calls:n,callRounds:r,rounds:i}){let{t:a}=e;return n===0?a(`{subject} needs no REST call.`,{subject:t}):a(`{subject} needs {calls} {inRounds}; the gateway made {rounds}.`,{subject:t,calls:B(e,`REST call`,n),inRounds:r===1?a(`in one round`):`in ${B(e,`round`,r)}`,rounds:i===1?a(`one round`):B(e,`round`,i)})}function tn(e){return(0,O.jsxs)(`div`,{className:`rest-calls`,children:[(0,O.jsx)(an,{...e}),(0,O.jsx)(on,{...e})]})}var nn=[20,80,200],rn=`rest-calls.latency`;function an({operations:e,subject:t,texts:n}){let{t:r,language:i}=n,a=(0,T.useId)(),[o,s]=(0,T.useState)(()=>nn.find(e=>`${e}`===y(`localStorage`,rn))??80),c=e=>{s(e),x(`localStorage`,rn,`${e}`)},l=Zt(e),u=en(n,r(t),l);if(l.calls===0)return(0,O.jsx)(`p`,{className:`rest-calls-argument`,children:u});let d=[`query`,`mutation`,`subscription`,`file`].filter(e=>l[e]>0).map(e=>B(n,e,l[e])),f=[{tone:`gateway`,name:r(`With the gateway`),requests:d.join(`, `),rounds:l.rounds},{tone:`direct`,name:r(`Without it`),requests:B(n,`REST call`,l.calls),rounds:l.callRounds}],p=Math.max(l.rounds,l.callRounds,1);return(0,O.jsxs)(`section`,{className:`rest-calls-cost`,"aria-label":r(`Cost of this screen`),children:[(0,O.jsx)(`p`,{className:`rest-calls-argument`,children:u}),(0,O.jsxs)(`table`,{children:[(0,O.jsx)(`thead`,{className:`visually-hidden`,children:(0,O.jsx)(`tr`,{children:[`Cost of this screen`,`Requests`,`Rounds`,`Waiting`].map(e=>(0,O.jsx)(`th`,{scope:`col`,children:r(e)},e))})}),(0,O.jsx)(`tbody`,{children:f.map(({tone:e,name:t,requests:r,rounds:a})=>(0,O.jsxs)(`tr`,{children:[(0,O.jsx)(`th`,{scope:`row`,children:t}),(0,O.jsx)(`td`,{children:r}),(0,O.jsx)(`td`,{children:B(n,`round`,a)}),(0,O.jsxs)(`td`,{className:`rest-calls-waiting`,children:[(0,O.jsx)(`strong`,{children:V(a*o,i)}),(0,O.jsx)(`span`,{className:`rest-calls-scale`,children:(0,O.jsx)(`span`,{className:`rest-calls-bar rest-calls-${e}`,style:{width:`${a/p*100}%`}})})]})]},e))})]}),(0,O.jsxs)(`div`,{className:`row`,children:[(0,O.jsxs)(`fieldset`,{className:`segments`,children:[(0,O.jsx)(`legend`,{children:r(`Network latency`)}),nn.map(e=>(0,O.jsxs)(`label`,{children:[(0,O.jsx)(`input`,{type:`radio`,name:a,checked:e===o,onChange:()=>c(e)}),(0,O.jsx)(`span`,{children:V(e,i)})]},e))]}),(0,O.jsxs)(`details`,{className:`rest-calls-help muted small`,children:[(0,O.jsx)(`summary`,{className:`button button-icon`,"aria-label":r(`How this is counted`),title:r(`How this is counted`),children:`?`}),(0,O.jsx)(`p`,{children:r(`Without the gateway, a front end sends each distinct REST call itself, and waits once per round: a call of the next round needs the answer of an earlier one. Waiting is rounds × latency, without the time of the DMS.`)})]})]})]})}function on({operations:e,personId:t,texts:n}){let{t:r}=n;return(0,O.jsxs)(`table`,{className:`rest-calls-table`,children:[(0,O.jsx)(`caption`,{className:`visually-hidden`,children:r(`REST calls`)}),(0,O.jsx)(`thead`,{children:(0,O.jsxs)(`tr`,{children:[[`Call`,`Round`,`Source`,`Status`,`Start`,`Duration`].map(e=>(0,O.jsx)(`th`,{scope:`col`,className:[`Call`,`Source`].includes(e)?void 0:`number`,children:r(e)},e)),(0,O.jsx)(`td`,{"aria-hidden":`true`})]})}),e.map(e=>(0,O.jsx)(ln,{traced:e,personId:t,texts:n},e.id))]})}var sn={dms:`sent`,shared:`shared`,cache:`cached`},cn={dms:`active`,shared:`neutral`,cache:`done`};function ln({traced:e,personId:t,texts:n}){let{t:r,language:i}=n,{name:a,kind:o,ms:s,operation:c}=e,l=Jt(e.calls),u=Math.max(...l.map(e=>e.startMs+e.ms),1);return(0,O.jsxs)(`tbody`,{children:[(0,O.jsx)(`tr`,{className:`rest-calls-operation`,children:(0,O.jsxs)(`th`,{scope:`rowgroup`,colSpan:7,children:[(0,O.jsxs)(`span`,{children:[(0,O.jsx)(`span`,{className:`muted`,children:r(o)}),` `,a,` `,(0,O.jsx)(`span`,{className:`muted`,children:[[`dms`,`shared`,`cache`].map(e=>[l.filter(t=>t.source===e).length,r(sn[e])]).filter(([e])=>e>0).map(([e,t])=>`${e} ${t}`).join(`, `)||r(`No REST call`),V(s,i)].join(` · `)})]}),c&&(0,O.jsx)(Qt,{operation:c,name:a,personId:t,texts:n})]})}),l.map((e,t)=>(0,O.jsx)(un,{call:e,totalMs:u,texts:n},t))]})}function un({call:e,totalMs:t,texts:n}){let{t:r,language:i}=n,{route:a,path:o,fields:s,embed:c,source:l,status:u,startMs:d,ms:f,attempt:p,round:ee}=e,m=e=>`${e/t*100}%`;return(0,O.jsxs)(`tr`,{children:[(0,O.jsxs)(`th`,{scope:`row`,children:[(0,O.jsxs)(`code`,{children:[a.split(` `)[0],` `,o]}),p>1&&` (${r(`attempt`)} ${p})`,(0,O.jsx)(dn,{name:`fields`,values:s}),(0,O.jsx)(dn,{name:`embed`,values:c})]}),(0,O.jsx)(`td`,{className:`number`,children:ee}),(0,O.jsx)(`td`,{children:(0,O.jsx)(`span`,{className:`badge badge-${cn[l]}`,children:r(sn[l])})}),(0,O.jsx)(`td`,{className:`number`,children:u??`–`}),(0,O.jsx)(`td`,{className:`number`,children:V(d,i)}),(0,O.jsx)(`td`,{className:`number`,children:V(f,i)}),(0,O.jsx)(`td`,{"aria-hidden":`true`,children:(0,O.jsx)(`span`,{className:`rest-calls-bar rest-calls-${l}`,style:{marginInlineStart:m(d),width:m(f)}})})]})}function dn({name:e,values:t}){return t?(0,O.jsxs)(`code`,{className:`muted`,children:[e,`=`,t.map((e,n)=>(0,O.jsxs)(T.Fragment,{children:[e,n<t.length-1&&`,`,(0,O.jsx)(`wbr`,{})]},e))]}):null}function V(e,t){return`${new Intl.NumberFormat(t,{maximumFractionDigits:+(e<10)}).format(e)} ms`}function fn(e,t={}){return e.replaceAll(/\{(\w+)\}/g,(e,n)=>`${t[n]}`)}function pn({keys:e}){return(0,O.jsx)(`dl`,{className:`key-list`,children:e.map(([e,t])=>(0,O.jsxs)(`div`,{children:[(0,O.jsx)(`dt`,{children:e.map(e=>(0,O.jsx)(`kbd`,{children:e},e))}),(0,O.jsx)(`dd`,{children:t})]},t))})}var mn=[[[l?`⌘`:`Ctrl`,`Enter`],`run the operation`],[[`Ctrl`,`Space`],`list the fields that fit`],[[`Shift`,`Ctrl`,`P`],`format the operation`]];function hn(){return(0,O.jsx)(pn,{keys:mn})}var H=v({});function gn(){let e=h(({tabs:e,activeTabIndex:t})=>e[t]?.id??``),{setOperationName:t}=p();return n=>{H.set({...H.get(),[e]:n}),t(n)}}function _n(e){let{tabs:t,activeTabIndex:n,operations:r,operationName:i}=h(e=>e),{setOperationName:a}=p(),o=t[n]?.id??``,[s]=(0,T.useState)(()=>new Map([...t.map(e=>[e.id,e.operationName]),[o,e]])),c=S(H)[o]??s.get(o),l=r?.some(({name:e})=>e?.value===c)??!1;(0,T.useEffect)(()=>{c&&l&&i!==c&&a(c)},[c,l,i,a])}var U=v(!1);function vn(){return h(({queryEditor:e,responseEditor:t})=>!!(e&&t))}function W(){let e=vn(),{run:t}=p();return()=>e?t():U.set(!0)}function yn(){let e=vn(),t=S(U),n=W(),i=h(e=>e.queryEditor),{prettifyEditors:a}=p(),o=gn();(0,T.useEffect)(()=>{e&&t&&(U.set(!1),n())},[e,t,n]),(0,T.useEffect)(()=>{let e=e=>{if(!(e.ctrlKey||e.metaKey))return;let t=e.shiftKey&&(e.key===`P`||se(e)===`p`);if(e.key!==`Enter`&&!t)return;if(e.preventDefault(),e.stopPropagation(),t)return void a();let s=i?.hasTextFocus()?i.getPosition():null,c=s&&i?.getModel()?.getOffsetAt(s),{definitions:l=[]}=zt(i?.getValue()??``)??{},u=l.filter(e=>e.kind===r.OPERATION_DEFINITION),d=u.find(({loc:e})=>e&&c&&e.start<=c&&c<=e.end);d?.name&&u.length>1&&o(d.name.value),n()};return document.addEventListener(`keydown`,e,{capture:!0}),()=>document.removeEventListener(`keydown`,e,{capture:!0})},[n,i,o,a])}var[bn,xn]=[15,85];function G(e,t){let{storage:n}=h(e=>e),[r,i]=(0,T.useState)(()=>Number(n.get(e))||t);return{percent:r,style:{"--first":`${r}fr`,"--second":`${100-r}fr`},set(t){let r=Math.round(Math.min(xn,Math.max(bn,t)));i(r),n.set(e,`${r}`)},reset(){i(t),n.set(e,``)}}}function K({label:e,orientation:t,split:n}){let r=t===`vertical`;return(0,O.jsx)(`div`,{className:`splitter splitter-${t}`,role:`separator`,tabIndex:0,"aria-label":e,"aria-orientation":t,"aria-valuenow":n.percent,"aria-valuemin":bn,"aria-valuemax":xn,onPointerDown:({currentTarget:e,pointerId:t})=>e.setPointerCapture(t),onPointerMove:({currentTarget:e,clientX:t,clientY:i,pointerId:a})=>{if(!e.hasPointerCapture(a))return;let o=e.previousElementSibling.getBoundingClientRect(),s=e.nextElementSibling.getBoundingClientRect(),c=r?(t-o.left)/(s.right-o.left):(i-o.top)/(s.bottom-o.top);n.set(100*c)},onKeyDown:e=>{let t={ArrowLeft:-2,ArrowUp:-2,ArrowRight:2,ArrowDown:2}[e.key];t!==void 0&&(e.preventDefault(),n.set(n.percent+t))},onDoubleClick:n.reset})}function Sn({errors:e}){let t=h(e=>e.queryEditor),n=(e,n)=>{t?.setPosition({lineNumber:e,column:n}),t?.revealLineInCenter(e),t?.focus()};return(0,O.jsx)(`div`,{className:`result-errors`,role:`alert`,children:(0,O.jsx)(`ul`,{"aria-label":`Errors`,children:e.map(({message:e,path:t,locations:[r]=[]},i)=>(0,O.jsxs)(`li`,{className:`notice notice-error`,children:[(0,O.jsxs)(`span`,{children:[e,t&&(0,O.jsxs)(`code`,{children:[` `,t.join(`.`)]})]}),r&&(0,O.jsxs)(`button`,{type:`button`,className:`button`,"aria-label":`Line ${r.line}, column ${r.column}`,onClick:()=>n(r.line,r.column),children:[`Line `,r.line]})]},i))})})}function Cn({table:e}){let{name:t,columns:n,rows:r}=e;return(0,O.jsxs)(`table`,{className:`result-table`,children:[(0,O.jsxs)(`caption`,{children:[t,`: `,r.length]}),(0,O.jsx)(`thead`,{children:(0,O.jsx)(`tr`,{children:n.map(e=>(0,O.jsx)(`th`,{scope:`col`,children:e},e))})}),(0,O.jsx)(`tbody`,{children:r.map((e,t)=>(0,O.jsx)(`tr`,{children:n.map(t=>(0,O.jsx)(`td`,{children:(0,O.jsx)(`div`,{className:`result-cell`,children:e.get(t)?.map(({text:e,href:t},n)=>(0,O.jsx)(`span`,{className:`result-part`,children:t===void 0?e:(0,O.jsx)(`a`,{href:t,target:`_blank`,rel:`noreferrer`,children:e})},n))})},t))},t))})]})}var wn=new Set([`shortId`,`fullId`,`id`]);function Tn(e,t,n,r){let i=t.definitions.find(e=>e.kind===`OperationDefinition`);if(i===void 0)return[];let a=n?.getRootType(i.operation)??null;return new En(t,n,r).tables(e,{sets:[i.selectionSet],type:a},[])}var En=class{#e;#t;#n;constructor(e,t,n){let r=e.definitions.filter(e=>e.kind===`FragmentDefinition`);this.#e=new Map(r.map(e=>[e.name.value,e])),this.#t=t,this.#n=n}tables(e,t,n){if(!q(e))return[];let r=this.#s(t);return Object.entries(e).flatMap(([e,t])=>{let i=r.get(e)?.below??{sets:[],type:null};if(!Array.isArray(t))return this.tables(t,i,[...n,e]);let a=t.filter(q);return a.length===0?[]:[this.#r([...n,e].join(` `),a,i)]})}#r(e,t,n){let r=t.map(e=>new Map(this.#i(e,n,[])));return{name:e,columns:[...new Set(r.flatMap(e=>[...e.keys()]))],rows:r}}#i(e,t,n){let r=this.#s(t),i=!1;return Object.entries(e).flatMap(([e,a])=>{let{name:o,below:s}=r.get(e)??{name:e,below:{sets:[],type:null}};if(q(a))return this.#i(a,s,[...n,e]);if(a===null&&s.sets.length>0)return[];let c=!i&&t.type?.name===`Document`&&wn.has(o);i||=c;let l=c?[this.#a(On(a))]:this.#o(a,s);return[[[...n,e].join(` `),l]]})}#a(e){return this.#n===null?{text:e}:{text:e,href:this.#n(e)}}#o(e,t){if(Array.isArray(e))return e.flatMap(e=>this.#o(e,t));if(e==null)return[];if(!q(e)){let n=On(e);return[t.type?.name===`URL`?{text:n,href:n}:{text:n}]}let n=this.#i(e,t,[]).flatMap(([,e])=>e),r=n.find(e=>e.href!==void 0)?.href;return[{text:n.filter(({text:e})=>e!==r).map(({text:e})=>e).join(` `)||(r??``),...r!==void 0&&{href:r}}]}#s({sets:e,type:t}){let n=new Map,r=(e,t)=>{let r=(e.alias??e.name).value,i=n.get(r)?.below.sets??[],a=t!==null&&`getFields`in t?t.getFields()[e.name.value]:void 0,o={sets:e.selectionSet===void 0?i:[...i,e.selectionSet],type:a===void 0?null:Dn(a.type)};n.set(r,{name:e.name.value,below:o})},i=(e,t)=>{for(let n of e.selections)if(n.kind===`Field`)r(n,t);else{let e=n.kind===`InlineFragment`?n:this.#e.get(n.name.value),r=e?.typeCondition?.name.value,a=r===void 0?t:this.#t?.getType(r);e!==void 0&&i(e.selectionSet,a??null)}};for(let n of e)i(n,t);return n}};function Dn(e){return`ofType`in e?Dn(e.ofType):e}function On(e){return typeof e==`string`?e:JSON.stringify(e)}function q(e){return typeof e==`object`&&!!e&&!Array.isArray(e)}function kn(){let e=yt(),t=jn(),n=Mn(e,t),[r,i]=(0,T.useState)(!1),[a,o]=(0,T.useState)(!0),s=G(`playground:calls`,42),c=r&&n.length>0,l=e?.traced==null?`none`:a?`open`:`closed`;return(0,O.jsxs)(`section`,{className:`result-pane`,"aria-label":`Result`,children:[(0,O.jsxs)(`div`,{className:`bar`,children:[(0,O.jsx)(`h2`,{children:`Result`}),n.length>0&&(0,O.jsx)(Nn,{showsTable:c,onChange:i})]}),(0,O.jsxs)(`div`,{className:`result-parts`,"data-calls":l,style:s.style,children:[(0,O.jsx)(An,{isEmpty:e===void 0&&t===null,errors:e?.failure?[{message:e.failure}]:t?.errors??[],tables:c?n:null}),(0,O.jsx)(K,{label:`Height of the result`,orientation:`horizontal`,split:s}),e?.traced&&(0,O.jsx)(In,{run:e,isOpen:a,onToggle:o})]})]})}function An({isEmpty:e,errors:t,tables:n}){let r=u(({monaco:e})=>e!==void 0);return(0,O.jsxs)(`div`,{className:`result`,children:[(0,O.jsx)(Sn,{errors:t}),(0,O.jsx)(`div`,{className:`editor`,hidden:n!==null,children:r&&(0,O.jsx)(o,{tabIndex:-1})}),n&&(0,O.jsx)(`div`,{className:`result-tables`,tabIndex:0,role:`region`,"aria-label":`Tables`,children:n.map(e=>(0,O.jsx)(Cn,{table:e},e.name))}),e&&(0,O.jsx)(Pn,{})]})}function jn(){let e=h(({tabs:e,activeTabIndex:t})=>e[t]?.response);return(0,T.useMemo)(()=>e?JSON.parse(e):null,[e])}function Mn(e,t){let n=D(),r=e?.document;return(0,T.useMemo)(()=>!t||!r?[]:Tn(t.data,r,n,b.hasInbox?e=>`app/documents/${encodeURIComponent(e)}`:null),[t,r,n])}function Nn({showsTable:e,onChange:t}){let n=(0,T.useId)();return(0,O.jsxs)(`fieldset`,{className:`segments`,children:[(0,O.jsx)(`legend`,{className:`visually-hidden`,children:`Show as`}),[`JSON`,`Table`].map(r=>(0,O.jsxs)(`label`,{children:[(0,O.jsx)(`input`,{type:`radio`,name:n,checked:e===(r===`Table`),onChange:()=>t(r===`Table`)}),(0,O.jsx)(`span`,{children:r})]},r))]})}function Pn(){let e=h(({tabs:e,activeTabIndex:t})=>e[t]?.query),t=F(),n=W();if(b.persistedOnly)return null;let r=e?.trim()===M.trim();return(0,O.jsxs)(`section`,{className:`start`,"aria-labelledby":`start`,children:[(0,O.jsx)(`h2`,{id:`start`,children:`The result appears here`}),r&&(0,O.jsxs)(O.Fragment,{children:[(0,O.jsx)(`p`,{className:`muted`,children:`The first example reads the inbox with one request.`}),(0,O.jsxs)(`button`,{type:`button`,className:`button button-primary`,onClick:()=>{t({query:`# Reads the inbox with one query.
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
`,variables:``}),n()},children:[(0,O.jsx)(w,{name:`play`}),`Run the first example`]})]}),(0,O.jsx)(hn,{})]})}var Fn={t:(e,...[t])=>fn(e,t),language:`en`};function In({run:e,isOpen:t,onToggle:n}){let{actor:r,traced:i,isTraced:a}=e;return i===null?null:(0,O.jsxs)(`section`,{className:`calls`,"aria-labelledby":`calls`,"aria-busy":!a,children:[(0,O.jsx)(`h2`,{children:(0,O.jsxs)(`button`,{type:`button`,"aria-expanded":t,"aria-controls":`calls-body`,onClick:()=>n(!t),children:[(0,O.jsx)(w,{name:`next`}),(0,O.jsx)(`span`,{id:`calls`,children:Ln(i.calls,r)})]})}),(0,O.jsx)(`div`,{id:`calls-body`,className:`calls-body`,hidden:!t,tabIndex:0,role:`group`,"aria-labelledby":`calls`,children:(0,O.jsx)(tn,{operations:[i],subject:`This operation`,personId:null,texts:Fn})})]})}function Ln(e,t){let n=t=>e.filter(e=>e.source===t).length,r=Math.max(0,...e.map(({startMs:e,ms:t})=>e+t));return[`REST calls: ${n(`dms`)}`,...n(`cache`)>0?[`${n(`cache`)} cached`]:[],...n(`shared`)>0?[`${n(`shared`)} shared`]:[],...e.length>0?[`${r.toFixed(+(r<10))} ms`]:[],...t===null?[]:[`as ${t}`]].join(`, `)}var J=`graphiql:tabState`;y(`sessionStorage`,J)===null&&x(`sessionStorage`,J,y(`localStorage`,J));var Y={length:0,key:()=>null,clear(){},getItem:e=>y(e===J?`sessionStorage`:`localStorage`,e),setItem(e,t){e===J&&x(`sessionStorage`,e,t),x(`localStorage`,e,t)},removeItem(e){x(`localStorage`,e,null)}};function Rn(){let e=new URLSearchParams(location.search),t=e.get(`query`),n=e.get(`variables`)??``;return t===null?zn():(history.replaceState(history.state,``,location.pathname),{query:t,variables:n,headers:``,operationName:e.get(`operationName`)})}function zn(){try{let{tabs:e,activeTabIndex:t}=JSON.parse(Y.getItem(J)??``),{query:n,variables:r,headers:i,operationName:a}=e[t];return{query:n??``,variables:r??``,headers:i??``,operationName:a}}catch{return null}}function Bn(){let e=Gn(),t=e!==null&&e!==`outdated`&&`error`in e;return(0,O.jsx)(`output`,{className:t?`cost cost-error`:`cost`,"aria-busy":e===`outdated`,children:Vn(e)})}function Vn(e){if(e===null)return``;if(e===`outdated`)return`Cost: …`;if(`error`in e)return e.error;let{atLeast:t,upstreamCalls:n}=e;return`Cost: ${t===n?`${t}`:`${t} to ${n}`} REST ${n===1?`call`:`calls`}`}var Hn=400,Un={"x-cost-only":`1`},Wn=new Set([`BAD_USER_INPUT`,`UPSTREAM_BUDGET_EXCEEDED`]);function Gn(){let e=h(({tabs:e,activeTabIndex:t})=>e[t]),t=h(({documentAST:e})=>e),{query:n,variables:r,headers:i,operationName:a}=e??{},o=JSON.stringify([n,r,i,a]),[s,c]=(0,T.useState)({operation:o,cost:null});return(0,T.useEffect)(()=>{let e=new AbortController,s=e=>c({operation:o,cost:e}),l=async()=>{let o=n&&t&&Kn(t,a);s(o?await qn({query:n,variables:r,headers:i,operationName:a??null},e.signal):null)},u=setTimeout(()=>{l().catch(()=>{e.signal.aborted||s(null)})},Hn);return()=>{clearTimeout(u),e.abort()}},[n,r,i,a,t,o]),s.cost!==null&&s.operation!==o?`outdated`:s.cost}function Kn(e,t){if(!b.introspection||b.persistedOnly)return!1;let n=_(e,t);return n!=null&&n.operation!==`mutation`}async function qn({query:e,operationName:t,variables:n,headers:r},i){let a=Yn(r);if(!await Jn(a))return null;let{errors:[o]=[],extensions:s}=await(await z({query:e,operationName:t,variables:Yn(n)},{...a,...Un},i)).json();return s?.cost===void 0?o!==void 0&&Wn.has(o.extensions?.code??``)?{error:o.message}:null:s.cost}var X=null;function Jn(e){return X??=(async()=>{let{extensions:t}=await(await z({query:`{ __typename }`},{...e,...Un},AbortSignal.timeout(1e4))).json();return t?.cost===void 0&&(X=null),t?.cost!==void 0})(),X}function Yn(e){return e?JSON.parse(e):{}}function Xn(){let{prettifyEditors:e,mergeQuery:t,copyQuery:n}=p(),r=u(({monaco:e})=>e!==void 0),i=G(`playground:variables`,70),a=Zn();return(0,O.jsxs)(`section`,{className:`editor-pane`,"aria-label":`Operation`,children:[(0,O.jsxs)(`div`,{className:`bar`,children:[(0,O.jsx)(er,{}),(0,O.jsx)(Bn,{}),(0,O.jsxs)(`div`,{className:`bar-tools`,children:[(0,O.jsx)(Z,{label:`Format`,icon:`prettify`,onClick:()=>void e()}),(0,O.jsx)(Z,{label:`Merge fragments`,icon:`merge`,onClick:t}),(0,O.jsx)(Z,{label:`Copy`,icon:`copy`,onClick:()=>void n()}),(0,O.jsx)($n,{})]})]}),(0,O.jsxs)(`div`,{className:`editors`,"data-inputs":a.shown??`none`,style:i.style,children:[(0,O.jsx)(`div`,{className:`editor`,children:r&&(0,O.jsx)(f,{tabIndex:-1})}),(0,O.jsx)(K,{label:`Height of the operation`,orientation:`horizontal`,split:i}),(0,O.jsxs)(`div`,{className:`inputs`,children:[(0,O.jsxs)(`div`,{className:`inputs-head`,children:[[`variables`,`headers`].map(e=>(0,O.jsxs)(`button`,{type:`button`,"aria-expanded":a.shown===e,"aria-controls":`input-${e}`,onClick:()=>a.toggle(e),children:[(0,O.jsx)(w,{name:`next`}),e===`variables`?`Variables`:`Headers`]},e)),a.shown===`headers`&&(0,O.jsx)(Qn,{})]}),(0,O.jsx)(`div`,{id:`input-variables`,className:`editor`,hidden:a.shown!==`variables`,children:r&&(0,O.jsx)(ne,{tabIndex:-1})}),(0,O.jsx)(`div`,{id:`input-headers`,className:`editor`,hidden:a.shown!==`headers`,children:r&&(0,O.jsx)(ie,{tabIndex:-1})})]})]})]})}function Zn(){let[e,t]=(0,T.useState)(),n=h(({tabs:e,activeTabIndex:t})=>e[t]),r=n.variables?`variables`:n.headers?`headers`:null,i=`${n.id} ${n.title}`,a=e?.tab===i?e.input:r;return{shown:a,toggle:e=>t({tab:i,input:a===e?null:e})}}function Qn(){let e=h(e=>e.shouldPersistHeaders),{setShouldPersistHeaders:t}=p();return(0,O.jsxs)(`label`,{className:`keep-headers`,children:[(0,O.jsx)(`input`,{type:`checkbox`,checked:e,onChange:({currentTarget:e})=>t(e.checked)}),`Keep in this browser`]})}function Z({label:e,icon:t,onClick:n}){return(0,O.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,title:e,"aria-label":e,onClick:n,children:(0,O.jsx)(w,{name:t})})}function $n(){let{queryEditor:e,variableEditor:t,operations:n=[],operationName:r}=h(e=>e),{personId:i}=S(C.state),a=h(({tabs:e,activeTabIndex:t})=>e[t]),o=JSON.stringify([a?.hash,r,i]),[s,c]=(0,T.useState)(``),l=async()=>{let a=e?.getValue()??``,s=n.length>1?r:null,l={query:a,variables:t?.getValue(),operationName:s},u=`${location.origin}${location.pathname}${le(l,i)}`;try{await navigator.clipboard.writeText(u),c(o)}catch{window.prompt(`Copy this link:`,u)}},u=s===o;return(0,O.jsxs)(O.Fragment,{children:[(0,O.jsx)(Z,{label:`Copy link`,icon:u?`check`:`link`,onClick:()=>void l()}),(0,O.jsx)(`span`,{role:`status`,className:`visually-hidden`,children:u&&`The link is copied.`})]})}function er(){let{operations:e=[],operationName:t,isFetching:n,subscription:r}=h(e=>e),i=W(),a=gn(),{stop:o}=p(),s=n||r!==null,c=e.find(({name:e})=>e?.value===t)??e[0],l=n&&c?.operation===`mutation`,u=e.flatMap(({name:e})=>e?.value??[]);return(0,O.jsxs)(O.Fragment,{children:[(0,O.jsxs)(`button`,{type:`button`,className:`button button-primary`,"aria-disabled":l,onClick:({detail:e})=>{e<2&&!l&&(s?o:i)()},children:[(0,O.jsx)(w,{name:s&&!l?`stop`:`play`}),s&&!l?`Stop`:`Run`]}),u.length>1&&(0,O.jsx)(`select`,{"aria-label":`Operation to run`,value:t??u[0],onChange:({currentTarget:e})=>a(e.value),children:u.map(e=>(0,O.jsx)(`option`,{children:e},e))})]})}de.setTabFocusMode(!0);var tr=matchMedia(`(prefers-color-scheme: dark)`);function nr(){let e=u(e=>e.monaco),{queryEditor:t,variableEditor:n,headerEditor:r,responseEditor:i}=h(e=>e),a=Se();(0,T.useEffect)(()=>{if(e===void 0)return;let t=()=>{e.editor.defineTheme(`playground`,rr()),e.editor.setTheme(`playground`)};return t(),tr.addEventListener(`change`,t),()=>tr.removeEventListener(`change`,t)},[e]),(0,T.useEffect)(()=>{let e={Operation:t,Variables:n,Headers:r,Result:i};for(let[t,n]of Object.entries(e))n?.updateOptions({ariaLabel:t,tabIndex:0,fontFamily:getComputedStyle(document.body).getPropertyValue(`--font-mono`),fontSize:13,lineHeight:20,padding:{top:8,bottom:8},...a?{lineNumbers:`off`,folding:!1,glyphMargin:!1,lineDecorationsWidth:8}:{lineNumbers:t===`Result`?`off`:`on`,folding:!0,lineNumbersMinChars:3,lineDecorationsWidth:10}})},[t,n,r,i,a]),(0,T.useEffect)(()=>{document.activeElement===document.body&&matchMedia(`(pointer: fine)`).matches&&t?.focus()},[t])}function Q(e){let t=document.body.appendChild(document.createElement(`i`));t.style.color=`var(--${e})`;let n=getComputedStyle(t).color.match(/\d+/g)??[];return t.remove(),n.map(e=>Number(e).toString(16).padStart(2,`0`)).join(``)}function rr(){let e=e=>`#${Q(e)}`,t=Object.fromEntries([1,2,3,4,5,6].map(t=>[`editorBracketHighlight.foreground${t}`,e(`text`)]));return{base:tr.matches?`vs-dark`:`vs`,inherit:!1,rules:[{token:``,foreground:Q(`text`)},{token:`comment`,foreground:Q(`text-muted`)},{token:`keyword`,foreground:Q(`accent`)},{token:`type`,foreground:Q(`accent`)},{token:`string`,foreground:Q(`success`)},{token:`string.key.json`,foreground:Q(`accent`)},{token:`number`,foreground:Q(`warning`)},{token:`annotation`,foreground:Q(`danger`)},{token:`argument.identifier`,foreground:Q(`warning`)},{token:`key.identifier`,foreground:Q(`text`)}],colors:{"editor.background":e(`surface`),"editor.foreground":e(`text`),"editorLineNumber.foreground":e(`text-muted`),"editorLineNumber.dimmedForeground":e(`text-muted`),"editorLineNumber.activeForeground":e(`text`),"editorBracketHighlight.unexpectedBracket.foreground":e(`danger`),"editorCursor.foreground":e(`accent`),"editor.selectionBackground":e(`accent-soft`),"editor.inactiveSelectionBackground":e(`surface-hover`),"editorWidget.background":e(`surface`),"editorWidget.border":e(`border-strong`),"editorSuggestWidget.foreground":e(`text`),"editorSuggestWidget.selectedBackground":e(`accent-soft`),"editorSuggestWidget.selectedForeground":e(`accent-soft-text`),"editorSuggestWidget.highlightForeground":e(`accent`),"editorSuggestWidget.focusHighlightForeground":e(`accent`),"editorHoverWidget.background":e(`surface`),"editorHoverWidget.border":e(`border-strong`),"editorLink.activeForeground":e(`accent`),"textLink.foreground":e(`accent`),"list.hoverBackground":e(`surface-hover`),...t,focusBorder:e(`accent`),"input.background":e(`surface`),"input.border":e(`border-strong`)}}}function ir(){let{plugins:e,visiblePlugin:t}=h(e=>e),{setVisiblePlugin:n}=p();return(0,O.jsxs)(`nav`,{className:`rail`,"aria-label":`Panes`,children:[e.map(e=>{let r=e===t;return(0,O.jsxs)(`button`,{type:`button`,"aria-expanded":r,"aria-controls":r?`pane`:void 0,onClick:()=>n(r?null:e),children:[(0,O.jsx)(e.icon,{}),e.title]},e.title)}),(0,O.jsxs)(`button`,{type:`button`,popoverTarget:`keys`,children:[(0,O.jsx)(w,{name:`keyboard`}),`Keys`]}),(0,O.jsx)(`div`,{id:`keys`,className:`popup`,popover:`auto`,role:`dialog`,"aria-label":`Keys`,children:(0,O.jsx)(hn,{})})]})}function ar(){let e=h(({visiblePlugin:e})=>e),{setVisiblePlugin:t}=p();(0,T.useEffect)(()=>{A()||t(null)},[t]);let n=()=>{document.activeElement?.closest(`.editors`)||document.querySelector(`[aria-controls="pane"]`)?.focus(),t(null)},r=(0,T.useEffectEvent)(({key:t,target:r,defaultPrevented:i})=>{e===null||A()||t!==`Escape`||i&&!document.activeElement?.closest(`.editors`)||r instanceof HTMLInputElement&&r.value!==``||document.querySelector(`:popover-open`)||n()});return(0,T.useEffect)(()=>{let e=e=>r(e);return document.addEventListener(`keydown`,e),()=>document.removeEventListener(`keydown`,e)},[]),e===null?null:(0,O.jsxs)(`aside`,{id:`pane`,className:`pane`,"aria-label":e.title,children:[(0,O.jsxs)(`div`,{className:`pane-head`,children:[(0,O.jsx)(`h2`,{children:e.title}),(0,O.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,"aria-label":`Close ${e.title}`,onClick:n,children:(0,O.jsx)(w,{name:`close`})})]}),(0,O.jsx)(`div`,{className:`pane-body`,children:(0,O.jsx)(e.content,{})})]})}function or(){let{tabs:e,activeTabIndex:t}=h(e=>e),n=h(e=>e.queryEditor),{addTab:r,changeTab:i,closeTab:a}=p(),o=e=>{e(),n?.focus()};return(0,O.jsxs)(`div`,{className:`tabs`,children:[(0,O.jsx)(`ul`,{children:e.map(({id:n,title:r},s)=>(0,O.jsxs)(`li`,{"data-active":s===t,children:[(0,O.jsx)(`button`,{type:`button`,className:`tab`,"aria-current":s===t?`true`:void 0,onClick:()=>i(s),children:r}),e.length>1&&(0,O.jsx)(`button`,{type:`button`,className:`tab-close`,"aria-label":`Close ${r}`,onClick:()=>o(()=>a(s)),children:(0,O.jsx)(w,{name:`close`})})]},n))}),(0,O.jsx)(`button`,{type:`button`,className:`tab-add`,"aria-label":`New tab`,onClick:()=>o(r),children:(0,O.jsx)(w,{name:`plus`})})]})}var sr=[ve,...b.persistedOnly?[]:[Ct],Ut],cr=b.persistedOnly?ht:M,$=Rn()??{query:cr,variables:``,headers:``,operationName:null},lr=Y.getItem(`graphiql:shouldPersistHeaders`)===`true`;function ur(){let e=D();return(0,T.useEffect)(()=>void pe({}),[]),(0,O.jsx)(c,{fetcher:Pt,schema:e,storage:Y,shouldPersistHeaders:lr,plugins:sr,referencePlugin:ve,defaultQuery:cr,initialQuery:$.query,initialVariables:$.variables,initialHeaders:$.headers,children:(0,O.jsx)(re,{children:(0,O.jsx)(s.Provider,{children:(0,O.jsx)(dr,{})})})})}function dr(){let e=G(`playground:result`,50);return nr(),yn(),fr(),_n($.operationName),pr(),(0,O.jsxs)(`div`,{className:`frame graphiql-container`,children:[(0,O.jsx)(ir,{}),(0,O.jsx)(ar,{}),(0,O.jsxs)(`main`,{className:`session`,children:[(0,O.jsx)(or,{}),(0,O.jsxs)(`div`,{className:`panels`,style:e.style,children:[(0,O.jsx)(Xn,{}),(0,O.jsx)(K,{label:`Width of the operation`,orientation:`vertical`,split:e}),(0,O.jsx)(kn,{})]})]})]})}function fr(){let e=h(({tabs:e,activeTabIndex:t})=>e[t]?.id??``),t=h(e=>e.responseEditor),{stop:n,updateActiveTabValues:r}=p(),i=(0,T.useEffectEvent)(e=>{n(),_t(e);let i=N.get().byTab[e]?.lateResponse;i!=null&&(P(e,{lateResponse:null}),r({response:i}),t?.setValue(i))});(0,T.useEffect)(()=>i(e),[e])}function pr(){let{tabs:e,activeTabIndex:t,responseEditor:n}=h(e=>e),{moveTab:r,stop:i,updateActiveTabValues:a}=p(),o=(0,T.useEffectEvent)(()=>{i(),vt(),r(e.map((e,n)=>n===t?e:{...e,response:null})),a({response:null}),n?.setValue(``)}),{personId:s}=S(C.state),c=(0,T.useRef)(s);(0,T.useEffect)(()=>{c.current!==s&&(c.current=s,o())},[s])}export{ur as Workbench};