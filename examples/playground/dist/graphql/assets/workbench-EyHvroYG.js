import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{C as t,E as n,S as r,T as i,_ as a,a as o,c as s,d as c,f as l,g as u,h as d,i as f,l as p,m,n as h,o as ee,p as g,r as te,s as ne,t as re,u as ie,w as ae,x as oe}from"./packages-BJeEoBnJ.js";import{a as se,n as ce}from"./react-CPU5xpvM.js";import{a as _,c as v,d as le,i as y,l as b,n as ue,o as x,r as S,s as de,t as fe,u as C}from"./index-CNClDVvK.js";import{t as pe}from"./tabFocus-BD3Mrm7G.js";var w=e(se(),1),T=_(null);function E(){return x(T)}var D=null;function me(e){return!y.introspection||y.persistedOnly||T.get()!==null?Promise.resolve():(D??=he(e).finally(()=>D=null),D)}async function he(e){let t=await fetch(`schema.graphql`,{headers:e});t.ok&&T.set(oe(await t.text()))}var ge=100;function _e(e,t){let n=t.trim().toLowerCase(),r=[[],[],[]];for(let[t,i]of ve(e)){let e=(n.includes(`.`)?i.label:t).toLowerCase(),a=e.indexOf(n);a>=0&&r[e===n?0:a===0?1:2].push(i)}return r.flat().slice(0,ge)}function*ve(e){for(let t of Object.values(e.getTypeMap())){if(t.name.startsWith(`__`))continue;yield[t.name,{label:t.name,path:[t]}];for(let{name:e}of`getValues`in t?t.getValues():[])yield[e,{label:`${t.name}.${e}`,path:[t]}];let e=`getFields`in t?Object.values(t.getFields()):[];for(let n of e){let e=`${t.name}.${n.name}`;yield[n.name,{label:e,path:[t,n]}];let r=`args`in n?n.args:[];for(let{name:i}of r)yield[i,{label:`${e}(${i}:)`,path:[t,n]}]}}}var O=ce(),ye={title:`Documentation`,icon:()=>(0,O.jsx)(C,{name:`documentation`}),content:be};function be(){let e=E();return e===null?(0,O.jsx)(`p`,{className:`muted`,children:`There is no schema.`}):(0,O.jsx)(xe,{schema:e})}function xe({schema:e}){let t=h(),{push:n,pop:r}=te(),[i,a]=(0,w.useState)({text:``,pages:t}),s=i.pages===t?i.text:``,c=t.at(-1),l=(0,w.useRef)(null),u=(0,w.useRef)(t);(0,w.useEffect)(()=>{u.current!==t&&l.current?.focus(),u.current=t},[t]);let d=({path:e})=>{for(let t of e)n({name:t.name,def:t})},p=s.trim()===``?null:_e(e,s);return(0,O.jsxs)(`section`,{className:`documentation`,"aria-label":`Documentation`,children:[(0,O.jsx)(`input`,{type:`search`,"aria-label":`Search the documentation`,placeholder:`Type, field, Type.field or value`,value:s,onChange:({currentTarget:e})=>a({text:e.value,pages:t}),onKeyDown:({key:e})=>{e===`Enter`&&p?.[0]&&d(p[0])}}),p===null?(0,O.jsxs)(O.Fragment,{children:[t.length>1&&(0,O.jsxs)(`button`,{type:`button`,className:`button button-quiet`,onClick:r,children:[(0,O.jsx)(C,{name:`previous`}),t.at(-2)?.name]}),(0,O.jsx)(`h3`,{ref:l,tabIndex:-1,children:c?.name}),c?.def===void 0?(0,O.jsx)(o,{schema:e}):ae(c.def)?(0,O.jsx)(f,{type:c.def}):(0,O.jsx)(ee,{field:c.def})]}):(0,O.jsxs)(O.Fragment,{children:[(0,O.jsx)(`ul`,{children:p.map(e=>(0,O.jsx)(`li`,{children:(0,O.jsx)(`button`,{type:`button`,className:`found`,onClick:()=>d(e),children:e.label})},e.label))}),(0,O.jsx)(`p`,{role:`status`,className:`muted`,children:p.length===0&&`Nothing in the schema has this name.`})]})]})}var Se=matchMedia(`(width >= 1280px)`),Ce=matchMedia(`(width < 760px)`);function k(){return Se.matches}function we(){return(0,w.useSyncExternalStore)(e=>(Ce.addEventListener(`change`,e),()=>Ce.removeEventListener(`change`,e)),()=>Ce.matches)}var Te=`# Reads the inbox with files, field values, recognition data, authors and referencing documents.
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
`,Ee=`# Reads a document with the objects that its values refer to, and the response that the user is expected to give.
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
`,De=`{ "id": "DOC-0191" }
`,Oe=`# Reads a filtered and sorted page of a view. \`after\` is the \`endCursor\` of the previous page.
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
`,ke=`# Finds documents by words of their short IDs, file names and values, regardless of case and accents.
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
`,Ae=`# Reads forms, directories with their values, and organizations: the data of a form editor.
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
`,je=`# Reads a unit with its head, its members and their deputies.
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
`,Me=`{ "id": "unit0001" }
`,Ne=`# Reads an object by its global ID, as Relay and other caches do.
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
`,Pe=`{ "ids": ["RG9jdW1lbnQ6NjVmMDAwMDA1ZWVkMDBkMDAwMDAwMGJm", "UGVyc29uOnVzci1hbm4="] }
`,Fe=`# A page of up to 500 documents: the gateway asks the DMS for 100 at a time and joins them.
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
`,Ie=`# Reads the form of a document and the labels of its fields, which need no role and no REST call.
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
`,Le=`{ "id": "DOC-0191", "language": "de" }
`,Re=`# Reads invoices with their typed form: totals are exact, dates are dates, and suppliers are organizations.
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
`,ze=`# Creates an invoice with the fields of its form, which are checked before anything is sent.
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
`,Be=`{
  "fields": {
    "number": "RE-2026-0100",
    "date": "2026-03-01",
    "supplier": "65f000005eed00c000000002",
    "total": "2587.71",
    "lines": [{ "article": "Copy paper A4", "quantity": "9", "amount": "44.01" }]
  }
}
`,Ve=`# Creates a document and sends it to approval. docs/uploads.md describes attachments.
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
`,He=`{
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
`,Ue=`# Responds to a document in the current phase. The gateway determines the response ID.
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
`,We=`{ "input": { "document": "DOC-0191", "action": "APPROVE", "content": "Checked and fine." } }
`,Ge=`# Changes status or phase, as the initiator or an administrator.
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
`,Ke=`{ "input": { "document": "DOC-0198", "action": "SUSPEND" } }
`,qe=`# Updates the organization with this external ID, or creates it.
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
`,Je=`{ "input": { "externalId": "erp-0099", "name": "Meridian Optics SA", "owner": "usr-eva" } }
`,Ye=`# Deletes an organization. \`deletedId\` is its global ID, with which a client can remove it from its cache.
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
`,Xe=`{ "input": { "id": "erp-0099" } }
`,Ze=`# Creates a value of a directory in two languages.
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
`,Qe=`{
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
`,$e=`# Sets the deputy of a person.
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
`,et=`{
  "input": {
    "id": "usr-ann",
    "officePhone": "+49 30 5550 100",
    "deputy": { "person": "usr-bob", "enabled": true }
  }
}
`,tt=`# Sets the head of a unit. Omitted fields are not changed.
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
`,nt=`{ "input": { "id": "unit0001", "head": "usr-bob" } }
`,rt=`# Workflow actions on several documents at once. Each is sent once and has its own result, in the order of the input.
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
`,it=`{
  "input": {
    "responses": [
      { "document": "DOC-0179", "action": "APPROVE" },
      { "document": "DOC-0169", "action": "APPROVE", "content": "Checked and fine." },
      { "document": "DOC-0158", "action": "SIGN" }
    ]
  }
}
`,at=`# Suspends a document, resumes it, and deletes another: changes of one document are made in the order of the input.
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
`,ot=`{
  "input": {
    "moves": [
      { "document": "DOC-0159", "action": "SUSPEND" },
      { "document": "DOC-0159", "action": "RESUME" },
      { "document": "DOC-0144", "action": "DELETE" }
    ]
  }
}
`,st=`# Watches a document. Sends its current state first, then an event after each change by anybody.
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
`,ct=`{
  "id": "DOC-0191"
}
`,lt=`# Watches the first page of the inbox. Each event names the documents that were added, changed or removed.
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
`,ut=`# Reads a document. The recognized text and the referencing documents follow when the DMS has returned them.
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
`,dt=`{
  "id": "DOC-0191"
}
`,ft=[`Read`,`Nested`,`Typed forms`,`Write`,`Live`,`Deferred`];function pt(e){return Object.keys(e).filter(e=>e.endsWith(`.graphql`)).toSorted().map(t=>mt(t,e[t],e[t.replace(/graphql$/,`json`)]??``)).toSorted((e,t)=>ft.indexOf(e.group)-ft.indexOf(t.group))}function mt(e,t,n){let r=i(t).definitions.find(e=>e.kind===`OperationDefinition`);if(r?.name===void 0)throw Error(`${e} has no operation with a name`);let[a=``]=/^(?:#.*\n)+/.exec(t)??[];return{name:r.name.value,description:a.replaceAll(/^# ?/gm,``).replaceAll("`",``).trim().replaceAll(`
`,` `),group:e.includes(`typed-forms`)?`Typed forms`:ht(r.operation,t),type:r.operation,query:t,variables:n}}function ht(e,t){return e===`mutation`?`Write`:e===`subscription`?`Live`:/@(?:defer|stream)\b/.test(t)?`Deferred`:/ {8}\w.*\{\n/.test(t)?`Nested`:`Read`}function gt(e,t){let n=t.toLowerCase().split(/\s+/);return e.filter(({name:e,group:t,description:r,query:i})=>{let a=`${e} ${t} ${r} ${i}`.toLowerCase();return n.every(e=>a.includes(e))})}var A=pt(Object.assign({"../../../01-inbox.graphql":Te,"../../../02-document.graphql":Ee,"../../../02-document.json":De,"../../../03-next-page.graphql":Oe,"../../../03-search.graphql":ke,"../../../04-reference-data.graphql":Ae,"../../../05-people.graphql":je,"../../../05-people.json":Me,"../../../06-refetch.graphql":Ne,"../../../06-refetch.json":Pe,"../../../07-large-page.graphql":Fe,"../../../08-typed-forms-labels.graphql":Ie,"../../../08-typed-forms-labels.json":Le,"../../../08-typed-forms.graphql":Re,"../../../09-typed-forms-create.graphql":ze,"../../../09-typed-forms-create.json":Be,"../../../10-create-document.graphql":Ve,"../../../10-create-document.json":He,"../../../11-respond-to-document.graphql":Ue,"../../../11-respond-to-document.json":We,"../../../12-move-document.graphql":Ge,"../../../12-move-document.json":Ke,"../../../13-upsert-organization.graphql":qe,"../../../13-upsert-organization.json":Je,"../../../14-delete-organization.graphql":Ye,"../../../14-delete-organization.json":Xe,"../../../15-upsert-list-value.graphql":Ze,"../../../15-upsert-list-value.json":Qe,"../../../16-update-person.graphql":$e,"../../../16-update-person.json":et,"../../../17-upsert-org-unit.graphql":tt,"../../../17-upsert-org-unit.json":nt,"../../../18-respond-to-documents.graphql":rt,"../../../18-respond-to-documents.json":it,"../../../19-move-documents.graphql":at,"../../../19-move-documents.json":ot,"../../../20-document-changed.graphql":st,"../../../20-document-changed.json":ct,"../../../21-documents-changed.graphql":lt,"../../../30-defer.graphql":ut,"../../../30-defer.json":dt})),j=`# Reads the inbox with one query.
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
`,_t=`# This gateway executes only persisted documents (PERSISTED_ONLY=on).
# It rejects every query that is written here with FORBIDDEN, and so the query by which
# the playground reads the schema: there is no documentation and no completion.
#
# To explore the schema, start a gateway with PERSISTED_ONLY=off.
`,M=_({activeTab:``,byTab:{}}),vt={actor:null,document:null,traced:null,isTraced:!1,failure:null,lateResponse:null};function yt(e){M.set({...M.get(),activeTab:e})}function N(e,t){let{activeTab:n,byTab:r}=M.get(),{[e]:i,...a}=r,o=t===null?a:{...a,[e]:{...vt,...i,...t}};M.set({activeTab:n,byTab:o})}function bt(){M.set({...M.get(),byTab:{}})}function xt(){let{activeTab:e,byTab:t}=x(M);return t[e]}var St=new Set([``,j,...A.map(({query:e})=>e)].map(Ct));function Ct(e){return e.trim()}function wt(e){return St.has(Ct(e))}function P(){let{queryEditor:e,variableEditor:t,responseEditor:n}=g(e=>e),{addTab:r,stop:a,updateActiveTabValues:o,setOperationFacts:s}=m(),c=g(({tabs:e,activeTabIndex:t})=>e[t]?.id??``);return({query:l,variables:u})=>{a(),wt(e?.getValue()??``)?N(c,null):r(),e?.setValue(l),t?.setValue(u),n?.setValue(``);let d=i(l),f=d.definitions.filter(e=>e.kind===`OperationDefinition`),p=f[0]?.name?.value??null;s({documentAST:d,operations:f,operationName:p}),o({query:l,variables:u,response:null,operationName:p}),e?.focus()}}var Tt={title:`Examples`,icon:()=>(0,O.jsx)(C,{name:`examples`}),content:Et};function Et(){let e=(0,w.useId)(),t=(0,w.useRef)(null);(0,w.useEffect)(()=>t.current?.focus(),[]);let[n,r]=(0,w.useState)(``),[i,a]=(0,w.useState)(0),o=P(),{setVisiblePlugin:s}=m(),c=gt(Dt(),n),l=e=>{o(e),k()||s(null)},u=t=>{a(t),document.getElementById(`${e}-${t}`)?.scrollIntoView({block:`nearest`})};return(0,O.jsxs)(`section`,{className:`examples`,"aria-label":`Examples`,children:[(0,O.jsx)(`input`,{type:`search`,role:`combobox`,"aria-expanded":`true`,"aria-controls":e,"aria-activedescendant":c.length>0?`${e}-${i}`:void 0,"aria-label":`Search examples`,placeholder:`Search examples`,ref:t,value:n,onChange:({currentTarget:e})=>{r(e.value),a(0)},onKeyDown:e=>{let t={ArrowDown:(i+1)%c.length,ArrowUp:(i+c.length-1)%c.length}[e.key],n=c[i];if(t!==void 0&&c.length>0)u(t);else if(e.key===`Enter`&&!e.ctrlKey&&!e.metaKey&&n)l(n);else return;e.preventDefault()}}),(0,O.jsx)(`div`,{id:e,role:`listbox`,"aria-label":`Examples`,children:[...Map.groupBy(c,({group:e})=>e)].map(([t,n])=>(0,O.jsxs)(`div`,{role:`group`,"aria-labelledby":`${e}-${t}`,children:[(0,O.jsx)(`div`,{id:`${e}-${t}`,role:`presentation`,className:`example-group`,children:t}),n.map(t=>{let n=c.indexOf(t);return(0,O.jsxs)(`div`,{id:`${e}-${n}`,role:`option`,tabIndex:-1,className:`example`,"aria-selected":n===i,onClick:()=>l(t),children:[(0,O.jsx)(`strong`,{children:t.name}),t.type===`mutation`&&(0,O.jsx)(`span`,{className:`badge badge-paused`,children:`changes data`}),(0,O.jsx)(`span`,{className:`example-description`,children:t.description})]},t.name)})]},t))}),(0,O.jsx)(`p`,{role:`status`,className:`muted`,children:c.length===0&&`No example matches.`})]})}function Dt(){let e=E();return(0,w.useMemo)(()=>e===null?A:A.filter(({query:n})=>t(e,i(n)).length===0),[e])}var Ot=`playground:history`,kt=20,F=_(At());function At(){try{return JSON.parse(v(`localStorage`,Ot)??`[]`)}catch{return[]}}function jt(e){Pt([e,...F.get().filter(t=>!Nt(t,e))].slice(0,kt))}function Mt(e){Pt(e?F.get().filter(t=>t!==e):[])}function Nt(e,t){return e.query===t.query&&e.variables===t.variables}function Pt(e){F.set(e),b(`localStorage`,Ot,JSON.stringify(e))}var I={subscribe(e){return queueMicrotask(()=>e.complete()),{unsubscribe(){}}}},L={key:``,result:Promise.resolve({}),endMs:-1/0},Ft=500,It=(e,t)=>{let n=Vt(e.query),i=Ht(e,n);if(!n||r(n,i.operationName)?.operation!==`mutation`)return Lt(i,n,t);let a=JSON.stringify([i,t?.headers,S.state.get().personId]);if(a===L.key&&performance.now()<L.endMs+Ft)return L.result;let o={key:a,result:Lt(i,n,t),endMs:1/0};return L=o,o.result.finally(()=>o.endMs=performance.now()),o.result};async function Lt(e,t,n){let r=zt(e,t),i=new AbortController;try{let t=n?.headers,a=await R(e,{"x-upstream-trace":`1`,...t},i.signal);a.ok&&me({...await ue(),...t});let o=a.headers.get(`content-type`)??``;if(o.startsWith(`text/event-stream`))return Ut(Wt(a,r.takeCalls),i,r.fail);if(!o.includes(`json`))return r.fail(`The response is not JSON (status ${a.status}).`);let s=await a.json();return r.show(s)}catch(e){return r.fail(Bt(e))}}var Rt=0;function zt(e,t){let n=M.get().activeTab,i=performance.now(),a=t&&r(t,e.operationName),{personId:o}=S.state.get();if(N(n,{document:t,isTraced:!1,failure:null}),a){let{query:t,variables:n}=e;jt({name:a.name?.value??``,query:t,variables:Object.keys(n??{}).length>0?JSON.stringify(n,null,2):``,atMs:Date.now(),personId:o})}let s=e=>({id:Rt+=1,name:a?.name?.value??``,kind:a?.operation??`query`,startMs:i,ms:performance.now()-i,calls:e});return{show(e){if(S.state.get().personId!==o)return I;let t=this.takeCalls(e);return M.get().activeTab===n?t:(N(n,{lateResponse:d(t)}),I)},fail(e){return N(n,{traced:null,isTraced:!0,failure:e}),I},takeCalls(e){let{upstream:t,...r}=e.extensions??{},{extensions:i,...a}=e;if(t!==void 0||!(`hasNext`in e)){let e=t===void 0?null:s(t);N(n,{traced:e,isTraced:!0,actor:fe(o)})}return Object.keys(r).length===0?a:{...a,extensions:r}}}}async function R(e,t,n){let r=async()=>fetch(location.pathname,{method:`POST`,signal:n,headers:{"content-type":`application/json`,accept:`application/json, text/event-stream`,...await ue(),...t},body:JSON.stringify(e)}),i=await r();return i.status!==401||S.state.get().personId===null?i:(await S.renew(),r())}function Bt(e){return e instanceof TypeError?`The gateway cannot be reached. Check that it is running, then try again.`:e instanceof Error?e.message:String(e)}function Vt(e){try{return i(e)}catch{return null}}function Ht(e,t){if(t===null||r(t,e.operationName))return e;let n=r(t);return n==null?e:{...e,operationName:n.name?.value??null}}function Ut(e,t,n){return{async next(){try{return await e.next()}catch{return t.signal.aborted||n(`The connection to the gateway was lost. Run the operation again.`),{done:!0,value:void 0}}},return(){return t.abort(),Promise.resolve({done:!0,value:void 0})},[Symbol.asyncIterator](){return this}}}async function*Wt(e,t){let n=e.body.pipeThrough(new TextDecoderStream).getReader(),r=``;for(;;){let{done:e,value:i}=await n.read();if(e)return;let a=(r+i).split(`

`);r=a.pop()??``;for(let e of a){if(e.startsWith(`event: complete`))return;let[,n]=/^event: next\ndata: (.*)$/s.exec(e)??[];n!==void 0&&(yield t(JSON.parse(n)))}}}var Gt={title:`History`,icon:()=>(0,O.jsx)(C,{name:`history`}),content:Kt};function Kt(){let e=x(F),t=P();return x(S.state),e.length===0?(0,O.jsx)(`p`,{className:`muted`,children:`Operations that you run appear here.`}):(0,O.jsxs)(`div`,{className:`history`,children:[(0,O.jsx)(`ul`,{children:e.map((e,n)=>{let r=e.name||e.query.trim();return(0,O.jsxs)(`li`,{children:[(0,O.jsxs)(`button`,{type:`button`,className:`history-operation`,title:e.query,onClick:()=>t(e),children:[(0,O.jsx)(`span`,{className:`clip`,children:r}),(0,O.jsx)(`span`,{className:`muted small`,children:Jt(e)})]}),(0,O.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,"aria-label":`Remove ${r.slice(0,60)}`,onClick:()=>Mt(e),children:(0,O.jsx)(C,{name:`close`})})]},n)})}),(0,O.jsx)(`button`,{type:`button`,className:`button`,onClick:()=>Mt(),children:`Remove all`})]})}var qt=new Intl.DateTimeFormat(`en`,{dateStyle:`medium`,timeStyle:`short`});function Jt({atMs:e,personId:t=null}){return e===void 0?``:[qt.format(e),fe(t)].filter(Boolean).join(` · `)}function Yt(e){let t=0,n=-1/0;return e.map(({startMs:e,ms:r})=>(e>=n&&([t,n]=[t+1,1/0]),n=Math.min(n,e+r),t))}function Xt(e){let t=new Map,n=0,r=-1/0;return e.toSorted((e,t)=>e.startMs-t.startMs).map(e=>{let{startMs:i,ms:a,source:o}=e,s=Zt(e),c=Qt(e),l=s?t.get(c):void 0;return l===void 0?i>=r&&([n,r]=[n+1,1/0]):[n,r]=[l,1/0],o!==`cache`&&(r=Math.min(r,i+a)),s?l===void 0&&t.set(c,n):t=new Map,{...e,round:n}})}function Zt({route:e}){return/^(?:GET|HEAD) /.test(e)}function Qt({route:e,path:t}){let n=e.split(`/`).findIndex(e=>e.startsWith(`{`)),[r=``]=t.split(`?`);return n>0&&r.split(`/`)[n]||t}function $t(e){let t=t=>e.filter(e=>e.kind===t).length,n=e.filter(({kind:e})=>e!==`subscription`),r=(n.length>0?n:e).toSorted((e,t)=>e.startMs-t.startMs),i=Yt(r),a=new Set,o=0,s=new Set;for(let[e,t]of r.entries())for(let n of Xt(t.calls)){let t=`${n.route} ${n.path}`;a.has(t)||(Zt(n)?a.add(t):a=new Set,o+=1,s.add(`${i[e]} ${n.round}`))}return{query:t(`query`),mutation:t(`mutation`),subscription:t(`subscription`),file:t(`file`),rounds:i.at(-1)??0,calls:o,callRounds:s.size}}function en({operation:e,name:t,personId:n,texts:{t:r}}){return(0,O.jsx)(`a`,{className:`inspect-link`,href:`/graphql${de(e,n)}`,target:`_blank`,rel:`noreferrer`,"aria-label":r(`Inspect {name} in the playground`,{name:t}),title:r(`Open in the playground`),children:r(`Inspect`)})}var tn={query:`queries`,mutation:`mutations`,subscription:`subscriptions`,file:`files`,round:`rounds`,"REST call":`REST calls`};function z({t:e,language:t},n,r){return`${new Intl.NumberFormat(t).format(r)} ${e(r===1?n:tn[n])}`}function nn(e,t,{calls:n,callRounds:r,rounds:i}){let{t:a}=e;return n===0?a(`{subject} needs no REST call.`,{subject:t}):a(`{subject} needs {calls} {inRounds}; the gateway made {rounds}.`,{subject:t,calls:z(e,`REST call`,n),inRounds:r===1?a(`in one round`):`in ${z(e,`round`,r)}`,rounds:i===1?a(`one round`):z(e,`round`,i)})}function rn(e){return(0,O.jsxs)(`div`,{className:`rest-calls`,children:[(0,O.jsx)(sn,{...e}),(0,O.jsx)(cn,{...e})]})}var an=[20,80,200],on=`rest-calls.latency`;function sn({operations:e,subject:t,texts:n}){let{t:r,language:i}=n,a=(0,w.useId)(),[o,s]=(0,w.useState)(()=>an.find(e=>`${e}`===v(`localStorage`,on))??80),c=e=>{s(e),b(`localStorage`,on,`${e}`)},l=$t(e),u=nn(n,r(t),l);if(l.calls===0)return(0,O.jsx)(`p`,{className:`rest-calls-argument`,children:u});let d=[`query`,`mutation`,`subscription`,`file`].filter(e=>l[e]>0).map(e=>z(n,e,l[e])),f=[{tone:`gateway`,name:r(`With the gateway`),requests:d.join(`, `),rounds:l.rounds},{tone:`direct`,name:r(`Without it`),requests:z(n,`REST call`,l.calls),rounds:l.callRounds}],p=Math.max(l.rounds,l.callRounds,1);return(0,O.jsxs)(`section`,{className:`rest-calls-cost`,"aria-label":r(`Cost of this screen`),children:[(0,O.jsx)(`p`,{className:`rest-calls-argument`,children:u}),(0,O.jsxs)(`table`,{children:[(0,O.jsx)(`thead`,{className:`visually-hidden`,children:(0,O.jsx)(`tr`,{children:[`Cost of this screen`,`Requests`,`Rounds`,`Waiting`].map(e=>(0,O.jsx)(`th`,{scope:`col`,children:r(e)},e))})}),(0,O.jsx)(`tbody`,{children:f.map(({tone:e,name:t,requests:r,rounds:a})=>(0,O.jsxs)(`tr`,{children:[(0,O.jsx)(`th`,{scope:`row`,children:t}),(0,O.jsx)(`td`,{children:r}),(0,O.jsx)(`td`,{children:z(n,`round`,a)}),(0,O.jsxs)(`td`,{className:`rest-calls-waiting`,children:[(0,O.jsx)(`strong`,{children:B(a*o,i)}),(0,O.jsx)(`span`,{className:`rest-calls-scale`,children:(0,O.jsx)(`span`,{className:`rest-calls-bar rest-calls-${e}`,style:{width:`${a/p*100}%`}})})]})]},e))})]}),(0,O.jsxs)(`div`,{className:`row`,children:[(0,O.jsxs)(`fieldset`,{className:`segments`,children:[(0,O.jsx)(`legend`,{children:r(`Network latency`)}),an.map(e=>(0,O.jsxs)(`label`,{children:[(0,O.jsx)(`input`,{type:`radio`,name:a,checked:e===o,onChange:()=>c(e)}),(0,O.jsx)(`span`,{children:B(e,i)})]},e))]}),(0,O.jsxs)(`details`,{className:`rest-calls-help muted small`,children:[(0,O.jsx)(`summary`,{className:`button button-icon`,"aria-label":r(`How this is counted`),title:r(`How this is counted`),children:`?`}),(0,O.jsx)(`p`,{children:r(`Without the gateway, a front end sends each distinct REST call itself, and waits once per round: a call of the next round needs the answer of an earlier one. Waiting is rounds × latency, without the time of the DMS.`)})]})]})]})}function cn({operations:e,personId:t,texts:n}){let{t:r}=n;return(0,O.jsxs)(`table`,{className:`rest-calls-table`,children:[(0,O.jsx)(`caption`,{className:`visually-hidden`,children:r(`REST calls`)}),(0,O.jsx)(`thead`,{children:(0,O.jsxs)(`tr`,{children:[[`Call`,`Round`,`Source`,`Status`,`Start`,`Duration`].map(e=>(0,O.jsx)(`th`,{scope:`col`,className:[`Call`,`Source`].includes(e)?void 0:`number`,children:r(e)},e)),(0,O.jsx)(`td`,{"aria-hidden":`true`})]})}),e.map(e=>(0,O.jsx)(dn,{traced:e,personId:t,texts:n},e.id))]})}var ln={dms:`sent`,shared:`shared`,cache:`cached`},un={dms:`active`,shared:`neutral`,cache:`done`};function dn({traced:e,personId:t,texts:n}){let{t:r,language:i}=n,{name:a,kind:o,ms:s,operation:c}=e,l=Xt(e.calls),u=Math.max(...l.map(e=>e.startMs+e.ms),1);return(0,O.jsxs)(`tbody`,{children:[(0,O.jsx)(`tr`,{className:`rest-calls-operation`,children:(0,O.jsxs)(`th`,{scope:`rowgroup`,colSpan:7,children:[(0,O.jsxs)(`span`,{children:[(0,O.jsx)(`span`,{className:`muted`,children:r(o)}),` `,a,` `,(0,O.jsx)(`span`,{className:`muted`,children:[[`dms`,`shared`,`cache`].map(e=>[l.filter(t=>t.source===e).length,r(ln[e])]).filter(([e])=>e>0).map(([e,t])=>`${e} ${t}`).join(`, `)||r(`No REST call`),B(s,i)].join(` · `)})]}),c&&(0,O.jsx)(en,{operation:c,name:a,personId:t,texts:n})]})}),l.map((e,t)=>(0,O.jsx)(fn,{call:e,totalMs:u,texts:n},t))]})}function fn({call:e,totalMs:t,texts:n}){let{t:r,language:i}=n,{route:a,path:o,fields:s,embed:c,source:l,status:u,startMs:d,ms:f,attempt:p,round:m}=e,h=e=>`${e/t*100}%`;return(0,O.jsxs)(`tr`,{children:[(0,O.jsxs)(`th`,{scope:`row`,children:[(0,O.jsxs)(`code`,{children:[a.split(` `)[0],` `,o]}),p>1&&` (${r(`attempt`)} ${p})`,(0,O.jsx)(pn,{name:`fields`,values:s}),(0,O.jsx)(pn,{name:`embed`,values:c})]}),(0,O.jsx)(`td`,{className:`number`,children:m}),(0,O.jsx)(`td`,{children:(0,O.jsx)(`span`,{className:`badge badge-${un[l]}`,children:r(ln[l])})}),(0,O.jsx)(`td`,{className:`number`,children:u??`–`}),(0,O.jsx)(`td`,{className:`number`,children:B(d,i)}),(0,O.jsx)(`td`,{className:`number`,children:B(f,i)}),(0,O.jsx)(`td`,{"aria-hidden":`true`,children:(0,O.jsx)(`span`,{className:`rest-calls-bar rest-calls-${l}`,style:{marginInlineStart:h(d),width:h(f)}})})]})}function pn({name:e,values:t}){return t?(0,O.jsxs)(`code`,{className:`muted`,children:[e,`=`,t.map((e,n)=>(0,O.jsxs)(w.Fragment,{children:[e,n<t.length-1&&`,`,(0,O.jsx)(`wbr`,{})]},e))]}):null}function B(e,t){return`${new Intl.NumberFormat(t,{maximumFractionDigits:+(e<10)}).format(e)} ms`}function mn(e,t={}){return e.replaceAll(/\{(\w+)\}/g,(e,n)=>`${t[n]}`)}function hn({keys:e}){return(0,O.jsx)(`dl`,{className:`key-list`,children:e.map(([e,t])=>(0,O.jsxs)(`div`,{children:[(0,O.jsx)(`dt`,{children:e.map(e=>(0,O.jsx)(`kbd`,{children:e},e))}),(0,O.jsx)(`dd`,{children:t})]},t))})}var gn=[[[a?`⌘`:`Ctrl`,`Enter`],`run the operation`],[[`Ctrl`,`Space`],`list the fields that fit`],[[`Shift`,`Ctrl`,`P`],`format the operation`]];function _n(){return(0,O.jsx)(hn,{keys:gn})}var V=_({});function vn(){let e=g(({tabs:e,activeTabIndex:t})=>e[t]?.id??``),{setOperationName:t}=m();return n=>{V.set({...V.get(),[e]:n}),t(n)}}function yn(e){let{tabs:t,activeTabIndex:n,operations:r,operationName:i}=g(e=>e),{setOperationName:a}=m(),o=t[n]?.id??``,[s]=(0,w.useState)(()=>new Map([...t.map(e=>[e.id,e.operationName]),[o,e]])),c=x(V)[o]??s.get(o),l=r?.some(({name:e})=>e?.value===c)??!1;(0,w.useEffect)(()=>{c&&l&&i!==c&&a(c)},[c,l,i,a])}var H=_(!1);function bn(){return g(({queryEditor:e,responseEditor:t})=>!!(e&&t))}function U(){let e=bn(),{run:t}=m();return()=>e?t():H.set(!0)}function xn(){let e=bn(),t=x(H),r=U(),i=g(e=>e.queryEditor),{prettifyEditors:a}=m(),o=vn();(0,w.useEffect)(()=>{e&&t&&(H.set(!1),r())},[e,t,r]),(0,w.useEffect)(()=>{let e=e=>{if(!(e.ctrlKey||e.metaKey))return;let t=e.shiftKey&&(e.key===`P`||le(e)===`p`);if(e.key!==`Enter`&&!t)return;if(e.preventDefault(),e.stopPropagation(),t)return void a();let s=i?.hasTextFocus()?i.getPosition():null,c=s&&i?.getModel()?.getOffsetAt(s),{definitions:l=[]}=Vt(i?.getValue()??``)??{},u=l.filter(e=>e.kind===n.OPERATION_DEFINITION),d=u.find(({loc:e})=>e&&c&&e.start<=c&&c<=e.end);d?.name&&u.length>1&&o(d.name.value),r()};return document.addEventListener(`keydown`,e,{capture:!0}),()=>document.removeEventListener(`keydown`,e,{capture:!0})},[r,i,o,a])}var[Sn,Cn]=[15,85];function W(e,t){let{storage:n}=g(e=>e),[r,i]=(0,w.useState)(()=>Number(n.get(e))||t);return{percent:r,style:{"--first":`${r}fr`,"--second":`${100-r}fr`},set(t){let r=Math.round(Math.min(Cn,Math.max(Sn,t)));i(r),n.set(e,`${r}`)},reset(){i(t),n.set(e,``)}}}function G({label:e,orientation:t,split:n}){let r=t===`vertical`;return(0,O.jsx)(`div`,{className:`splitter splitter-${t}`,role:`separator`,tabIndex:0,"aria-label":e,"aria-orientation":t,"aria-valuenow":n.percent,"aria-valuemin":Sn,"aria-valuemax":Cn,onPointerDown:({currentTarget:e,pointerId:t})=>e.setPointerCapture(t),onPointerMove:({currentTarget:e,clientX:t,clientY:i,pointerId:a})=>{if(!e.hasPointerCapture(a))return;let o=e.previousElementSibling.getBoundingClientRect(),s=e.nextElementSibling.getBoundingClientRect(),c=r?(t-o.left)/(s.right-o.left):(i-o.top)/(s.bottom-o.top);n.set(100*c)},onKeyDown:e=>{let t={ArrowLeft:-2,ArrowUp:-2,ArrowRight:2,ArrowDown:2}[e.key];t!==void 0&&(e.preventDefault(),n.set(n.percent+t))},onDoubleClick:n.reset})}function wn({errors:e}){let t=g(e=>e.queryEditor),n=(e,n)=>{t?.setPosition({lineNumber:e,column:n}),t?.revealLineInCenter(e),t?.focus()};return(0,O.jsx)(`div`,{className:`result-errors`,role:`alert`,children:(0,O.jsx)(`ul`,{"aria-label":`Errors`,children:e.map(({message:e,path:t,locations:[r]=[]},i)=>(0,O.jsxs)(`li`,{className:`notice notice-error`,children:[(0,O.jsxs)(`span`,{children:[e,t&&(0,O.jsxs)(`code`,{children:[` `,t.join(`.`)]})]}),r&&(0,O.jsxs)(`button`,{type:`button`,className:`button`,"aria-label":`Line ${r.line}, column ${r.column}`,onClick:()=>n(r.line,r.column),children:[`Line `,r.line]})]},i))})})}function Tn({table:e}){let{name:t,columns:n,rows:r}=e;return(0,O.jsxs)(`table`,{className:`result-table`,children:[(0,O.jsxs)(`caption`,{children:[t,`: `,r.length]}),(0,O.jsx)(`thead`,{children:(0,O.jsx)(`tr`,{children:n.map(e=>(0,O.jsx)(`th`,{scope:`col`,children:e},e))})}),(0,O.jsx)(`tbody`,{children:r.map((e,t)=>(0,O.jsx)(`tr`,{children:n.map(t=>(0,O.jsx)(`td`,{children:(0,O.jsx)(`div`,{className:`result-cell`,children:e.get(t)?.map(({text:e,href:t},n)=>(0,O.jsx)(`span`,{className:`result-part`,children:t===void 0?e:(0,O.jsx)(`a`,{href:t,target:`_blank`,rel:`noreferrer`,children:e})},n))})},t))},t))})]})}var En=new Set([`shortId`,`fullId`,`id`]);function Dn(e,t,n,r){let i=t.definitions.find(e=>e.kind===`OperationDefinition`);if(i===void 0)return[];let a=n?.getRootType(i.operation)??null;return new On(t,n,r).tables(e,{sets:[i.selectionSet],type:a},[])}var On=class{#e;#t;#n;constructor(e,t,n){let r=e.definitions.filter(e=>e.kind===`FragmentDefinition`);this.#e=new Map(r.map(e=>[e.name.value,e])),this.#t=t,this.#n=n}tables(e,t,n){if(!K(e))return[];let r=this.#s(t);return Object.entries(e).flatMap(([e,t])=>{let i=r.get(e)?.below??{sets:[],type:null};if(!Array.isArray(t))return this.tables(t,i,[...n,e]);let a=t.filter(K);return a.length===0?[]:[this.#r([...n,e].join(` `),a,i)]})}#r(e,t,n){let r=t.map(e=>new Map(this.#i(e,n,[])));return{name:e,columns:[...new Set(r.flatMap(e=>[...e.keys()]))],rows:r}}#i(e,t,n){let r=this.#s(t),i=!1;return Object.entries(e).flatMap(([e,a])=>{let{name:o,below:s}=r.get(e)??{name:e,below:{sets:[],type:null}};if(K(a))return this.#i(a,s,[...n,e]);if(a===null&&s.sets.length>0)return[];let c=!i&&t.type?.name===`Document`&&En.has(o);i||=c;let l=c?[this.#a(An(a))]:this.#o(a,s);return[[[...n,e].join(` `),l]]})}#a(e){return this.#n===null?{text:e}:{text:e,href:this.#n(e)}}#o(e,t){if(Array.isArray(e))return e.flatMap(e=>this.#o(e,t));if(e==null)return[];if(!K(e)){let n=An(e);return[t.type?.name===`URL`?{text:n,href:n}:{text:n}]}let n=this.#i(e,t,[]).flatMap(([,e])=>e),r=n.find(e=>e.href!==void 0)?.href;return[{text:n.filter(({text:e})=>e!==r).map(({text:e})=>e).join(` `)||(r??``),...r!==void 0&&{href:r}}]}#s({sets:e,type:t}){let n=new Map,r=(e,t)=>{let r=(e.alias??e.name).value,i=n.get(r)?.below.sets??[],a=t!==null&&`getFields`in t?t.getFields()[e.name.value]:void 0,o={sets:e.selectionSet===void 0?i:[...i,e.selectionSet],type:a===void 0?null:kn(a.type)};n.set(r,{name:e.name.value,below:o})},i=(e,t)=>{for(let n of e.selections)if(n.kind===`Field`)r(n,t);else{let e=n.kind===`InlineFragment`?n:this.#e.get(n.name.value),r=e?.typeCondition?.name.value,a=r===void 0?t:this.#t?.getType(r);e!==void 0&&i(e.selectionSet,a??null)}};for(let n of e)i(n,t);return n}};function kn(e){return`ofType`in e?kn(e.ofType):e}function An(e){return typeof e==`string`?e:JSON.stringify(e)}function K(e){return typeof e==`object`&&!!e&&!Array.isArray(e)}function jn(){let e=xt(),t=Nn(),n=Pn(e,t),[r,i]=(0,w.useState)(!1),[a,o]=(0,w.useState)(!0),s=W(`playground:calls`,42),c=r&&n.length>0,l=e?.traced==null?`none`:a?`open`:`closed`;return(0,O.jsxs)(`section`,{className:`result-pane`,"aria-label":`Result`,children:[(0,O.jsxs)(`div`,{className:`bar`,children:[(0,O.jsx)(`h2`,{children:`Result`}),n.length>0&&(0,O.jsx)(Fn,{showsTable:c,onChange:i})]}),(0,O.jsxs)(`div`,{className:`result-parts`,"data-calls":l,style:s.style,children:[(0,O.jsx)(Mn,{isEmpty:e===void 0&&t===null,errors:e?.failure?[{message:e.failure}]:t?.errors??[],tables:c?n:null}),(0,O.jsx)(G,{label:`Height of the result`,orientation:`horizontal`,split:s}),e?.traced&&(0,O.jsx)(Rn,{run:e,isOpen:a,onToggle:o})]})]})}function Mn({isEmpty:e,errors:t,tables:n}){let r=u(({monaco:e})=>e!==void 0);return(0,O.jsxs)(`div`,{className:`result`,children:[(0,O.jsx)(wn,{errors:t}),(0,O.jsx)(`div`,{className:`editor`,hidden:n!==null,children:r&&(0,O.jsx)(s,{tabIndex:-1})}),n&&(0,O.jsx)(`div`,{className:`result-tables`,tabIndex:0,role:`region`,"aria-label":`Tables`,children:n.map(e=>(0,O.jsx)(Tn,{table:e},e.name))}),e&&(0,O.jsx)(In,{})]})}function Nn(){let e=g(({tabs:e,activeTabIndex:t})=>e[t]?.response);return(0,w.useMemo)(()=>e?JSON.parse(e):null,[e])}function Pn(e,t){let n=E(),r=e?.document;return(0,w.useMemo)(()=>!t||!r?[]:Dn(t.data,r,n,y.hasInbox?e=>`app/documents/${encodeURIComponent(e)}`:null),[t,r,n])}function Fn({showsTable:e,onChange:t}){let n=(0,w.useId)();return(0,O.jsxs)(`fieldset`,{className:`segments`,children:[(0,O.jsx)(`legend`,{className:`visually-hidden`,children:`Show as`}),[`JSON`,`Table`].map(r=>(0,O.jsxs)(`label`,{children:[(0,O.jsx)(`input`,{type:`radio`,name:n,checked:e===(r===`Table`),onChange:()=>t(r===`Table`)}),(0,O.jsx)(`span`,{children:r})]},r))]})}function In(){let e=g(({tabs:e,activeTabIndex:t})=>e[t]?.query),t=P(),n=U();if(y.persistedOnly)return null;let r=e?.trim()===j.trim();return(0,O.jsxs)(`section`,{className:`start`,"aria-labelledby":`start`,children:[(0,O.jsx)(`h2`,{id:`start`,children:`The result appears here`}),r&&(0,O.jsxs)(O.Fragment,{children:[(0,O.jsx)(`p`,{className:`muted`,children:`The first example reads the inbox with one request.`}),(0,O.jsxs)(`button`,{type:`button`,className:`button button-primary`,onClick:()=>{t({query:`# Reads the inbox with one query.
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
`,variables:``}),n()},children:[(0,O.jsx)(C,{name:`play`}),`Run the first example`]})]}),(0,O.jsx)(_n,{})]})}var Ln={t:(e,...[t])=>mn(e,t),language:`en`};function Rn({run:e,isOpen:t,onToggle:n}){let{actor:r,traced:i,isTraced:a}=e;return i===null?null:(0,O.jsxs)(`section`,{className:`calls`,"aria-labelledby":`calls`,"aria-busy":!a,children:[(0,O.jsx)(`h2`,{children:(0,O.jsxs)(`button`,{type:`button`,"aria-expanded":t,"aria-controls":`calls-body`,onClick:()=>n(!t),children:[(0,O.jsx)(C,{name:`next`}),(0,O.jsx)(`span`,{id:`calls`,children:zn(i.calls,r)})]})}),(0,O.jsx)(`div`,{id:`calls-body`,className:`calls-body`,hidden:!t,tabIndex:0,role:`group`,"aria-labelledby":`calls`,children:(0,O.jsx)(rn,{operations:[i],subject:`This operation`,personId:null,texts:Ln})})]})}function zn(e,t){let n=t=>e.filter(e=>e.source===t).length,r=Math.max(0,...e.map(({startMs:e,ms:t})=>e+t));return[`REST calls: ${n(`dms`)}`,...n(`cache`)>0?[`${n(`cache`)} cached`]:[],...n(`shared`)>0?[`${n(`shared`)} shared`]:[],...e.length>0?[`${r.toFixed(+(r<10))} ms`]:[],...t===null?[]:[`as ${t}`]].join(`, `)}var q=`graphiql:tabState`;v(`sessionStorage`,q)===null&&b(`sessionStorage`,q,v(`localStorage`,q));var J={length:0,key:()=>null,clear(){},getItem:e=>v(e===q?`sessionStorage`:`localStorage`,e),setItem(e,t){e===q&&b(`sessionStorage`,e,t),b(`localStorage`,e,t)},removeItem(e){b(`localStorage`,e,null)}};function Bn(){let e=new URLSearchParams(location.search),t=e.get(`query`),n=e.get(`variables`)??``;return t===null?Vn():(history.replaceState(history.state,``,location.pathname),{query:t,variables:n,headers:``,operationName:e.get(`operationName`)})}function Vn(){try{let{tabs:e,activeTabIndex:t}=JSON.parse(J.getItem(q)??``),{query:n,variables:r,headers:i,operationName:a}=e[t];return{query:n??``,variables:r??``,headers:i??``,operationName:a}}catch{return null}}function Hn(){let e=qn(),t=e!==null&&e!==`outdated`&&`error`in e;return(0,O.jsx)(`output`,{className:t?`cost cost-error`:`cost`,"aria-busy":e===`outdated`,children:Un(e)})}function Un(e){if(e===null)return``;if(e===`outdated`)return`Cost: …`;if(`error`in e)return e.error;let{atLeast:t,upstreamCalls:n}=e;return`Cost: ${t===n?`${t}`:`${t} to ${n}`} REST ${n===1?`call`:`calls`}`}var Wn=400,Gn={"x-cost-only":`1`},Kn=new Set([`BAD_USER_INPUT`,`UPSTREAM_BUDGET_EXCEEDED`]);function qn(){let e=g(({tabs:e,activeTabIndex:t})=>e[t]),t=g(({documentAST:e})=>e),{query:n,variables:r,headers:i,operationName:a}=e??{},o=JSON.stringify([n,r,i,a]),[s,c]=(0,w.useState)({operation:o,cost:null});return(0,w.useEffect)(()=>{let e=new AbortController,s=e=>c({operation:o,cost:e}),l=async()=>{let o=n&&t&&Jn(t,a);s(o?await Yn({query:n,variables:r,headers:i,operationName:a??null},e.signal):null)},u=setTimeout(()=>{l().catch(()=>{e.signal.aborted||s(null)})},Wn);return()=>{clearTimeout(u),e.abort()}},[n,r,i,a,t,o]),s.cost!==null&&s.operation!==o?`outdated`:s.cost}function Jn(e,t){if(!y.introspection||y.persistedOnly)return!1;let n=r(e,t);return n!=null&&n.operation!==`mutation`}async function Yn({query:e,operationName:t,variables:n,headers:r},i){let a=Zn(r);if(!await Xn(a))return null;let{errors:[o]=[],extensions:s}=await(await R({query:e,operationName:t,variables:Zn(n)},{...a,...Gn},i)).json();return s?.cost===void 0?o!==void 0&&Kn.has(o.extensions?.code??``)?{error:o.message}:null:s.cost}var Y=null;function Xn(e){return Y??=(async()=>{let{extensions:t}=await(await R({query:`{ __typename }`},{...e,...Gn},AbortSignal.timeout(1e4))).json();return t?.cost===void 0&&(Y=null),t?.cost!==void 0})(),Y}function Zn(e){return e?JSON.parse(e):{}}function Qn(){let{prettifyEditors:e,mergeQuery:t,copyQuery:n}=m(),r=u(({monaco:e})=>e!==void 0),i=W(`playground:variables`,70),a=$n();return(0,O.jsxs)(`section`,{className:`editor-pane`,"aria-label":`Operation`,children:[(0,O.jsxs)(`div`,{className:`bar`,children:[(0,O.jsx)(nr,{}),(0,O.jsx)(Hn,{}),(0,O.jsxs)(`div`,{className:`bar-tools`,children:[(0,O.jsx)(X,{label:`Format`,icon:`prettify`,onClick:()=>void e()}),(0,O.jsx)(X,{label:`Merge fragments`,icon:`merge`,onClick:t}),(0,O.jsx)(X,{label:`Copy`,icon:`copy`,onClick:()=>void n()}),(0,O.jsx)(tr,{})]})]}),(0,O.jsxs)(`div`,{className:`editors`,"data-inputs":a.shown??`none`,style:i.style,children:[(0,O.jsx)(`div`,{className:`editor`,children:r&&(0,O.jsx)(p,{tabIndex:-1})}),(0,O.jsx)(G,{label:`Height of the operation`,orientation:`horizontal`,split:i}),(0,O.jsxs)(`div`,{className:`inputs`,children:[(0,O.jsxs)(`div`,{className:`inputs-head`,children:[[`variables`,`headers`].map(e=>(0,O.jsxs)(`button`,{type:`button`,"aria-expanded":a.shown===e,"aria-controls":`input-${e}`,onClick:()=>a.toggle(e),children:[(0,O.jsx)(C,{name:`next`}),e===`variables`?`Variables`:`Headers`]},e)),a.shown===`headers`&&(0,O.jsx)(er,{})]}),(0,O.jsx)(`div`,{id:`input-variables`,className:`editor`,hidden:a.shown!==`variables`,children:r&&(0,O.jsx)(ne,{tabIndex:-1})}),(0,O.jsx)(`div`,{id:`input-headers`,className:`editor`,hidden:a.shown!==`headers`,children:r&&(0,O.jsx)(ie,{tabIndex:-1})})]})]})]})}function $n(){let[e,t]=(0,w.useState)(),n=g(({tabs:e,activeTabIndex:t})=>e[t]),r=n.variables?`variables`:n.headers?`headers`:null,i=`${n.id} ${n.title}`,a=e?.tab===i?e.input:r;return{shown:a,toggle:e=>t({tab:i,input:a===e?null:e})}}function er(){let e=g(e=>e.shouldPersistHeaders),{setShouldPersistHeaders:t}=m();return(0,O.jsxs)(`label`,{className:`keep-headers`,children:[(0,O.jsx)(`input`,{type:`checkbox`,checked:e,onChange:({currentTarget:e})=>t(e.checked)}),`Keep in this browser`]})}function X({label:e,icon:t,onClick:n}){return(0,O.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,title:e,"aria-label":e,onClick:n,children:(0,O.jsx)(C,{name:t})})}function tr(){let{queryEditor:e,variableEditor:t,operations:n=[],operationName:r}=g(e=>e),{personId:i}=x(S.state),a=g(({tabs:e,activeTabIndex:t})=>e[t]),o=JSON.stringify([a?.hash,r,i]),[s,c]=(0,w.useState)(``),l=async()=>{let a=e?.getValue()??``,s=n.length>1?r:null,l={query:a,variables:t?.getValue(),operationName:s},u=`${location.origin}${location.pathname}${de(l,i)}`;try{await navigator.clipboard.writeText(u),c(o)}catch{window.prompt(`Copy this link:`,u)}},u=s===o;return(0,O.jsxs)(O.Fragment,{children:[(0,O.jsx)(X,{label:`Copy link`,icon:u?`check`:`link`,onClick:()=>void l()}),(0,O.jsx)(`span`,{role:`status`,className:`visually-hidden`,children:u&&`The link is copied.`})]})}function nr(){let{operations:e=[],operationName:t,isFetching:n,subscription:r}=g(e=>e),i=U(),a=vn(),{stop:o}=m(),s=n||r!==null,c=e.find(({name:e})=>e?.value===t)??e[0],l=n&&c?.operation===`mutation`,u=e.flatMap(({name:e})=>e?.value??[]);return(0,O.jsxs)(O.Fragment,{children:[(0,O.jsxs)(`button`,{type:`button`,className:`button button-primary`,"aria-disabled":l,onClick:({detail:e})=>{e<2&&!l&&(s?o:i)()},children:[(0,O.jsx)(C,{name:s&&!l?`stop`:`play`}),s&&!l?`Stop`:`Run`]}),u.length>1&&(0,O.jsx)(`select`,{"aria-label":`Operation to run`,value:t??u[0],onChange:({currentTarget:e})=>a(e.value),children:u.map(e=>(0,O.jsx)(`option`,{children:e},e))})]})}pe.setTabFocusMode(!0);var Z=matchMedia(`(prefers-color-scheme: dark)`);function rr(){let e=u(e=>e.monaco),{queryEditor:t,variableEditor:n,headerEditor:r,responseEditor:i}=g(e=>e),a=we();(0,w.useEffect)(()=>{if(e===void 0)return;let t=()=>{e.editor.defineTheme(`playground`,ir()),e.editor.setTheme(`playground`)};return t(),Z.addEventListener(`change`,t),()=>Z.removeEventListener(`change`,t)},[e]),(0,w.useEffect)(()=>{let e={Operation:t,Variables:n,Headers:r,Result:i};for(let[t,n]of Object.entries(e))n?.updateOptions({ariaLabel:t,tabIndex:0,fontFamily:getComputedStyle(document.body).getPropertyValue(`--font-mono`),fontSize:13,lineHeight:20,padding:{top:8,bottom:8},...a?{lineNumbers:`off`,folding:!1,glyphMargin:!1,lineDecorationsWidth:8}:{lineNumbers:t===`Result`?`off`:`on`,folding:!0,lineNumbersMinChars:3,lineDecorationsWidth:10}})},[t,n,r,i,a]),(0,w.useEffect)(()=>{document.activeElement===document.body&&matchMedia(`(pointer: fine)`).matches&&t?.focus()},[t])}function Q(e){let t=document.body.appendChild(document.createElement(`i`));t.style.color=`var(--${e})`;let n=getComputedStyle(t).color.match(/\d+/g)??[];return t.remove(),n.map(e=>Number(e).toString(16).padStart(2,`0`)).join(``)}function ir(){let e=e=>`#${Q(e)}`,t=Object.fromEntries([1,2,3,4,5,6].map(t=>[`editorBracketHighlight.foreground${t}`,e(`text`)]));return{base:Z.matches?`vs-dark`:`vs`,inherit:!1,rules:[{token:``,foreground:Q(`text`)},{token:`comment`,foreground:Q(`text-muted`)},{token:`keyword`,foreground:Q(`accent`)},{token:`type`,foreground:Q(`accent`)},{token:`string`,foreground:Q(`success`)},{token:`string.key.json`,foreground:Q(`accent`)},{token:`number`,foreground:Q(`warning`)},{token:`annotation`,foreground:Q(`danger`)},{token:`argument.identifier`,foreground:Q(`warning`)},{token:`key.identifier`,foreground:Q(`text`)}],colors:{"editor.background":e(`surface`),"editor.foreground":e(`text`),"editorLineNumber.foreground":e(`text-muted`),"editorLineNumber.dimmedForeground":e(`text-muted`),"editorLineNumber.activeForeground":e(`text`),"editorBracketHighlight.unexpectedBracket.foreground":e(`danger`),"editorCursor.foreground":e(`accent`),"editor.selectionBackground":e(`accent-soft`),"editor.inactiveSelectionBackground":e(`surface-hover`),"editorWidget.background":e(`surface`),"editorWidget.border":e(`border-strong`),"editorSuggestWidget.foreground":e(`text`),"editorSuggestWidget.selectedBackground":e(`accent-soft`),"editorSuggestWidget.selectedForeground":e(`accent-soft-text`),"editorSuggestWidget.highlightForeground":e(`accent`),"editorSuggestWidget.focusHighlightForeground":e(`accent`),"editorHoverWidget.background":e(`surface`),"editorHoverWidget.border":e(`border-strong`),"editorLink.activeForeground":e(`accent`),"textLink.foreground":e(`accent`),"list.hoverBackground":e(`surface-hover`),...t,focusBorder:e(`accent`),"input.background":e(`surface`),"input.border":e(`border-strong`)}}}function ar(){let{plugins:e,visiblePlugin:t}=g(e=>e),{setVisiblePlugin:n}=m();return(0,O.jsxs)(`nav`,{className:`rail`,"aria-label":`Panes`,children:[e.map(e=>{let r=e===t;return(0,O.jsxs)(`button`,{type:`button`,"aria-expanded":r,"aria-controls":r?`pane`:void 0,onClick:()=>n(r?null:e),children:[(0,O.jsx)(e.icon,{}),e.title]},e.title)}),(0,O.jsxs)(`button`,{type:`button`,popoverTarget:`keys`,children:[(0,O.jsx)(C,{name:`keyboard`}),`Keys`]}),(0,O.jsx)(`div`,{id:`keys`,className:`popup`,popover:`auto`,role:`dialog`,"aria-label":`Keys`,children:(0,O.jsx)(_n,{})})]})}function or(){let e=g(({visiblePlugin:e})=>e),{setVisiblePlugin:t}=m();(0,w.useEffect)(()=>{k()||t(null)},[t]);let n=()=>{document.activeElement?.closest(`.editors`)||document.querySelector(`[aria-controls="pane"]`)?.focus(),t(null)},r=(0,w.useEffectEvent)(({key:t,target:r,defaultPrevented:i})=>{e===null||k()||t!==`Escape`||i&&!document.activeElement?.closest(`.editors`)||r instanceof HTMLInputElement&&r.value!==``||document.querySelector(`:popover-open`)||n()});return(0,w.useEffect)(()=>{let e=e=>r(e);return document.addEventListener(`keydown`,e),()=>document.removeEventListener(`keydown`,e)},[]),e===null?null:(0,O.jsxs)(`aside`,{id:`pane`,className:`pane`,"aria-label":e.title,children:[(0,O.jsxs)(`div`,{className:`pane-head`,children:[(0,O.jsx)(`h2`,{children:e.title}),(0,O.jsx)(`button`,{type:`button`,className:`button button-quiet button-icon`,"aria-label":`Close ${e.title}`,onClick:n,children:(0,O.jsx)(C,{name:`close`})})]}),(0,O.jsx)(`div`,{className:`pane-body`,children:(0,O.jsx)(e.content,{})})]})}function sr(){let{tabs:e,activeTabIndex:t}=g(e=>e),n=g(e=>e.queryEditor),{addTab:r,changeTab:i,closeTab:a}=m(),o=e=>{e(),n?.focus()};return(0,O.jsxs)(`div`,{className:`tabs`,children:[(0,O.jsx)(`ul`,{children:e.map(({id:n,title:r},s)=>(0,O.jsxs)(`li`,{"data-active":s===t,children:[(0,O.jsx)(`button`,{type:`button`,className:`tab`,"aria-current":s===t?`true`:void 0,onClick:()=>i(s),children:r}),e.length>1&&(0,O.jsx)(`button`,{type:`button`,className:`tab-close`,"aria-label":`Close ${r}`,onClick:()=>o(()=>a(s)),children:(0,O.jsx)(C,{name:`close`})})]},n))}),(0,O.jsx)(`button`,{type:`button`,className:`tab-add`,"aria-label":`New tab`,onClick:()=>o(r),children:(0,O.jsx)(C,{name:`plus`})})]})}var cr=[ye,...y.persistedOnly?[]:[Tt],Gt],lr=y.persistedOnly?_t:j,$=Bn()??{query:lr,variables:``,headers:``,operationName:null},ur=J.getItem(`graphiql:shouldPersistHeaders`)===`true`;function dr(){let e=E();return(0,w.useEffect)(()=>void me({}),[]),(0,O.jsx)(l,{fetcher:It,schema:e,storage:J,shouldPersistHeaders:ur,plugins:cr,referencePlugin:ye,defaultQuery:lr,initialQuery:$.query,initialVariables:$.variables,initialHeaders:$.headers,children:(0,O.jsx)(re,{children:(0,O.jsx)(c.Provider,{children:(0,O.jsx)(fr,{})})})})}function fr(){let e=W(`playground:result`,50);return rr(),xn(),pr(),yn($.operationName),mr(),(0,O.jsxs)(`div`,{className:`frame graphiql-container`,children:[(0,O.jsx)(ar,{}),(0,O.jsx)(or,{}),(0,O.jsxs)(`main`,{className:`session`,children:[(0,O.jsx)(sr,{}),(0,O.jsxs)(`div`,{className:`panels`,style:e.style,children:[(0,O.jsx)(Qn,{}),(0,O.jsx)(G,{label:`Width of the operation`,orientation:`vertical`,split:e}),(0,O.jsx)(jn,{})]})]})]})}function pr(){let e=g(({tabs:e,activeTabIndex:t})=>e[t]?.id??``),t=g(e=>e.responseEditor),{stop:n,updateActiveTabValues:r}=m(),i=(0,w.useEffectEvent)(e=>{n(),yt(e);let i=M.get().byTab[e]?.lateResponse;i!=null&&(N(e,{lateResponse:null}),r({response:i}),t?.setValue(i))});(0,w.useEffect)(()=>i(e),[e])}function mr(){let{tabs:e,activeTabIndex:t,responseEditor:n}=g(e=>e),{moveTab:r,stop:i,updateActiveTabValues:a}=m(),o=(0,w.useEffectEvent)(()=>{i(),bt(),r(e.map((e,n)=>n===t?e:{...e,response:null})),a({response:null}),n?.setValue(``)}),{personId:s}=x(S.state),c=(0,w.useRef)(s);(0,w.useEffect)(()=>{c.current!==s&&(c.current=s,o())},[s])}export{dr as Workbench};